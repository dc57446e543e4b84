"""The examination behind ``goldwright doctor``: one module for each thing that is looked at."""
