"""Git, started so that nothing runs but git itself, and what is read from it."""
