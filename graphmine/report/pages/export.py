"""What was exported, and how to load it again."""

import shlex

from graphmine.model.naming import quoted
from graphmine.report.page import Page, Sheet, fact
from graphmine.verbs.export.export import Exported

__all__ = ["exported_page"]


def exported_page(done: Exported) -> Page:
    """Return what was written where."""
    rows = [
        (what, name, count, done.files.get(name, done.path.name))
        for what, counts in (("nodes", done.nodes), ("links", done.links))
        for name, count in counts.items()
    ]
    run = None if done.recalled is None else done.recalled.run.id
    data = {
        "run": run,
        "path": str(done.path),
        "format": done.form,
        "nodes": dict(done.nodes),
        "links": dict(done.links),
        "files": {name: str(done.path / file) for name, file in done.files.items()},
    }
    sheet = Sheet(("what", "name", "count", "file"), rows, right=frozenset({"count"}))
    facts = [fact("written", f"{done.path}" + ("" if run is None else f", run {run}"))]
    if done.files or done.form == "graphml":
        facts.append(f"to load it again: {_load(done)}")
    return Page(data, (sheet, "\n".join(facts)), sheet)


def _load(done: Exported) -> str:
    """Return the command that loads a folder or a file again."""
    if not done.files:
        return f"graphmine load {done.form} {shlex.quote(str(done.path))}"
    kinds = len(done.nodes)
    given = [
        f"--relationships {shlex.quote(f'{name}={done.path / file}')}"
        if place >= kinds
        else f"--nodes {shlex.quote(f'{quoted(name)}={done.path / file}')}"
        for place, (name, file) in enumerate(done.files.items())
    ]
    return " ".join([f"graphmine load {done.form}", *given])
