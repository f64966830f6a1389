"""Whether the user pressed Ctrl-C. Imports nothing, as it may be pressed while everything else is imported."""

__all__ = ["INTERRUPTED", "was_interrupted"]

INTERRUPTED = 130
"""The exit code, as shells have it."""


def was_interrupted(error: BaseException) -> bool:
    """Whether an error is Ctrl-C, or came of it: some packages raise an error of their own when they are interrupted.

    >>> broken = ImportError("initialization failed")
    >>> was_interrupted(broken)
    False
    >>> broken.__cause__ = KeyboardInterrupt()
    >>> was_interrupted(broken)
    True
    """
    seen: set[int] = set()
    ahead: list[BaseException | None] = [error]
    while ahead:
        each = ahead.pop()
        if isinstance(each, KeyboardInterrupt):
            return True
        if each is not None and id(each) not in seen:
            seen.add(id(each))
            ahead += [each.__cause__, each.__context__]
    return False
