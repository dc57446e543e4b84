"""Datasets: exported, verified, adopted, mined, converted, carried to newer commits."""
