"""How values show themselves in a notebook: as HTML, and as data frames."""
