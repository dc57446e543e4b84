"""A reading of questions, facts and narratives that is the trust card's own."""
