"""What a tool does for an agent, from tasks to verdicts."""
