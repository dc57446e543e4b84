"""The roles played by models: prompts, tools, one loop, and replies read strictly."""
