"""``python -m sonolake`` is the command ``sonolake``."""

from sonolake.cli import main

if __name__ == "__main__":
    main()
