"""What a job would take."""

from graphmine.report.page import Page, Sheet, fact
from graphmine.verbs.estimate import Estimate

__all__ = ["estimate_page"]


def estimate_page(found: Estimate) -> Page:
    """Return what a job would read, and the memory and time of each of its parts."""
    read = [("nodes", kind, count) for kind, count in found.nodes.items()]
    read += [("relationships", name, count) for name, count in found.relationships.items()]
    read += [("pairs, about", name, round(count)) for name, count in found.pairs.items()]
    cost = [(part, _size(memory), _time(found.seconds.get(part))) for part, memory in found.memory.items()]
    lines = [
        fact("memory", f"{_size(found.peak)} at the most, {_size(found.available)} are available"),
        fact("time", f"about {_time(sum(found.seconds.values()))} on one core"),
    ]
    if found.job.filters:
        lines.append("filters are not looked at: it may be less")
    columns = ("would read", "name", "count")
    parts = (
        Sheet(columns, read, right=frozenset({"count"})),
        Sheet(("part", "memory", "time"), cost, right=frozenset({"memory", "time"})),
        "\n".join(lines),
    )
    data = {
        "nodes": dict(found.nodes),
        "relationships": dict(found.relationships),
        "pairs": {name: round(count) for name, count in found.pairs.items()},
        "memory": {part: round(memory) for part, memory in found.memory.items()},
        "seconds": {part: round(seconds, 3) for part, seconds in found.seconds.items()},
        "peak": round(found.peak),
        "available": found.available,
        "fits": found.fits,
    }
    rows = [(part, round(memory), found.seconds.get(part)) for part, memory in found.memory.items()]
    rows.append(("peak", round(found.peak), sum(found.seconds.values())))
    return Page(data, parts, Sheet(("part", "bytes", "seconds"), rows))


def _size(number: float) -> str:
    """Return a number of bytes as a person reads it.

    >>> _size(2_340_000), _size(5.6e10)
    ('2.3 MB', '56 GB')
    """
    if not number:
        return "–"
    unit, name = next(((unit, name) for unit, name in ((1e12, "TB"), (1e9, "GB")) if number >= unit), (1e6, "MB"))
    return f"{number / unit:.2g} {name}" if number < 100 * unit else f"{number / unit:.0f} {name}"


def _time(seconds: float | None) -> str:
    """Return a time, to one digit: it is not known better.

    >>> _time(0.3), _time(734.0), _time(0.0)
    ('1 s', '10 min', '–')
    """
    if not seconds:
        return "–"
    if seconds < 60:
        return f"{max(float(f'{seconds:.1g}'), 1.0):.0f} s"
    return f"{float(f'{seconds / 60:.1g}'):.0f} min"
