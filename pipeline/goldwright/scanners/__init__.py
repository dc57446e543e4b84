"""What is looked for in text of unknown origin: secrets, and text that is addressed to a model."""
