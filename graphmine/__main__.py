"""``python -m graphmine``, and what the ``graphmine`` command calls."""

from graphmine.cli.app import main

__all__ = ["main"]

if __name__ == "__main__":
    main()
