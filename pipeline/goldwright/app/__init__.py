"""The use cases: each command, and each function of the library, calls one of them.

A use case builds what it needs from settings, files and the environment, and gives a value; it
prints nothing.
"""
