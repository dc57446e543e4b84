"""The review page: a web server for one reviewer, on this machine and for nobody else."""
