"""One adapter for each way of speaking to a model; they translate, and do nothing else."""
