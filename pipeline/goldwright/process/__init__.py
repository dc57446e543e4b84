"""What surrounds a command: standard streams, signals, and the report of a crash.

Nothing here needs more than the standard library, because it has to be ready before anything else
is loaded, and to work where loading anything else fails.
"""
