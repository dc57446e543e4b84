"""What the sufficiency scores of a retriever are worth."""
