"""Facts of many files: kept between runs, or read in worker processes."""
