"""Finders: one module a task type, each a function from the ground to ideas."""
