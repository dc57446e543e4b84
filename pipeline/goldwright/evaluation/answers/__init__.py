"""Whether an answer states a fact, told without a model."""
