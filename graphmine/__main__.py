"""``python -m graphmine``, and what the ``graphmine`` command calls."""

import os
import sys

from graphmine.cli.interrupts import INTERRUPTED, was_interrupted

__all__ = ["main"]


def main() -> None:
    """Run the program; Ctrl-C ends it with a word, even while it is still being imported."""
    try:
        from graphmine.cli.app import main as run

        run()
    except (Exception, KeyboardInterrupt) as error:
        if os.environ.get("GRAPHMINE_DEBUG") or not was_interrupted(error):
            raise
        if sys.stderr is not None:
            sys.stderr.write("graphmine: interrupted\n")
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
