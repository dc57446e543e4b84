"""Asking models: one port, the wrappers around it, and an adapter for each provider."""
