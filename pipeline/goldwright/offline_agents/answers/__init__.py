"""Answers: from what an inquiry found to facts, falsehoods and what they cost a reader."""
