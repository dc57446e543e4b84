"""``python -m goldwright`` is the command ``goldwright``."""

from goldwright.cli import main

if __name__ == "__main__":
    main()
