"""Questions: supplied by leads, worded, ranked by tier, and dealt to cells."""
