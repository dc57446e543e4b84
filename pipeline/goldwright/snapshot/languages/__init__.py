"""The languages whose code a snapshot reads, behind one port."""
