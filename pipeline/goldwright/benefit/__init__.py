"""What a retrieval tool does for an agent: two arms, trials, a blind verdict, what they show."""
