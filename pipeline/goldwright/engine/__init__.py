"""Running work items to their end and in their order, whatever they are."""
