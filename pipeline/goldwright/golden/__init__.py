"""Golden datasets: assembling, publishing, reading, comparing, auditing and rebasing them."""
