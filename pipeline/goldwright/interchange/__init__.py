"""Datasets in any format: how it is read and written, and what it has no place for.

Its modules are imported one by one, so that who needs the names of fields waits for no format.
"""
