"""The composition root: builds everything from plan and configuration, and is the command line's
only partner.
"""
