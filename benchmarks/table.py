"""What was measured, as lines for a terminal and as a table for the documents."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.measure import Comparison

__all__ = ["as_markdown", "as_text", "replace_table"]

BEGIN, END = "<!-- results: written by benchmarks.pull_push --markdown -->", "<!-- end of results -->"


def as_text(row: Comparison) -> str:
    """Return one comparison as a line for a terminal."""
    numbers = f"{_number(row.ours)} {row.unit} / {_number(row.theirs)} {row.unit} = {_number(row.ratio)}"
    return f"{row.database:9}  {row.what} / {row.peer}: {numbers}, target {_target(row.most)}: {_verdict(row.met)}"


def as_markdown(results: Mapping[str, Any]) -> str:
    """Return the machine and the table of a run, from its JSON."""
    machine = results["machine"]
    packages = ", ".join(f"{name} {number}" for name, number in machine["packages"].items())
    server = f", Neo4j {machine['neo4j_server']} on the same machine" if machine["neo4j_server"] else ""
    where = f"{machine['cores']} cores, {machine['memory_gb']} GB, {machine['system']}, Python {machine['python']}"
    lines = [
        f"{where}{server}; {packages}. Medians of {results['repeats']} rounds.",
        "",
        "| database | what | held against | ours | theirs | ratio | target | met |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: | --- |",
    ]
    for row in results["rows"]:
        cells = (
            row["database"],
            row["what"],
            row["peer"],
            f"{_number(row['ours'])} {row['unit']}",
            f"{_number(row['theirs'])} {row['unit']}",
            _number(row["ratio"]),
            _target(row["most"]),
            _verdict(row["met"]),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def replace_table(page: Path, table: str, begin: str = BEGIN) -> None:
    """Put the table between the marks of a page."""
    before, _, rest = page.read_text(encoding="utf-8").partition(begin)
    _, mark, after = rest.partition(END)
    if not mark:
        raise ValueError(f"the page has no place for the results: {begin} … {END}")
    page.write_text(f"{before}{begin}\n{table}\n{END}{after}", encoding="utf-8")


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def _target(most: float | None) -> str:
    if most is None:
        return "–"
    return f"≤ 1/{round(1 / most)}" if most < 0.2 else f"≤ {most:g}"


def _verdict(met: bool | None) -> str:
    return {True: "yes", False: "no", None: "–"}[met]
