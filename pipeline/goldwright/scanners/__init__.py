"""What is looked for in text that nobody vouches for: secrets, and orders to a model."""
