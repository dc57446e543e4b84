"""The roles played by models: prompts, tools, one tool loop, and replies that are read strictly."""
