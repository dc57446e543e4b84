"""The stages of a batch run, each a floor above the one before."""
