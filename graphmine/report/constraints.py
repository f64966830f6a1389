"""What constraints say before a fit, how far they were met, and which pairs are broken."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from graphmine.constraints.met import Broken, BrokenPair, Met
from graphmine.constraints.preview import Effect
from graphmine.model import Nodes
from graphmine.report.page import Page, Sheet, counted, fact, number
from graphmine.verbs import Previewed

__all__ = ["broken_page", "met_sheet", "preview_page"]

_NO_RULE = "(no rule)"
_ENDS = ("kind", "key", "other_kind", "other_key")


def preview_page(found: Previewed) -> Page:
    """Return what each rule would make of a network, and what speaks against trusting it."""
    preview = found.preview
    lines = "\n".join(_facts(found))
    table = _effects(preview.effects)
    data = {
        "rules": [_effect(effect) for effect in preview.effects],
        "kinds": {
            kind: {"nodes": count, "covered": preview.covered[kind], "ranked": preview.ranked.get(kind)}
            for kind, count in preview.nodes.items()
        },
        "hard_groups": {
            "count": preview.groups,
            "largest": [
                {"size": each.size, "some": [{"kind": kind, "key": key} for kind, key in each.some]}
                for each in preview.largest
            ],
        },
        "vain": preview.vain,
        "n_conflicts": found.n_conflicts,
        "conflicts": list(found.conflicts),
        "crowded": list(found.crowded),
        "warnings": list(preview.warnings),
    }
    parts = (_numbered(preview.effects), table, lines) if preview.effects else (lines,)
    return Page(data, parts, _effects_in_full(preview.effects))


def met_sheet(met: Iterable[Met]) -> Sheet:
    """Return how far each rule was met, in a line.

    >>> met_sheet([Met("friends", ("Author",), True, False, links=1, pairs=6, met=1, unplaced=3)]).rows
    [('friends', 'Author', 'must', 'soft', 6, 1, 2, 3, '33.3%')]
    """
    columns = ("rule", "kinds", "sense", "firmness", "pairs", "met", "broken", "unplaced", "share")
    rows = [(*_about(each), each.pairs, each.met, each.broken, each.unplaced, _percent(each.share)) for each in met]
    return Sheet(columns, rows, "constraints met", right=frozenset(columns[4:]))


def broken_page(broken: Broken, nodes: Mapping[str, Nodes], rules: Sequence[str]) -> Page:
    """Return pairs of nodes that are not as a rule wants them, by their keys."""
    columns = ("kind", "key", "other kind", "other key", "sense", "firmness", "weight", "rule")
    records = [_broken(pair, nodes, rules) for pair in broken.pairs]
    rows = [
        (*(each[name] for name in _ENDS), *_sense(each["must"], each["hard"]), each["weight"], each["rule"])
        for each in records
    ]
    shown = [(*row[:-2], number(row[-2]), row[-1] or _NO_RULE) for row in rows]
    table = Sheet(columns, shown, right=frozenset({"weight"}))
    told = f"{counted(broken.total, 'pair')} {'is' if broken.total == 1 else 'are'} broken"
    if len(records) < broken.total:
        told += f", of which {len(records)} {'is' if len(records) == 1 else 'are'} listed"
    parts = (table, told) if records else (told,)
    return Page({"total": broken.total, "pairs": records}, parts, Sheet(columns, rows))


def _names(effects: Sequence[Effect]) -> list[str]:
    return list(dict.fromkeys(each.rule for each in effects))


def _numbered(effects: Sequence[Effect]) -> str:
    """Return the rules, which are too long for a table, in a list."""
    return "\n".join(f"{number:>5}  {name or _NO_RULE}" for number, name in enumerate(_names(effects), 1))


def _effects(effects: Sequence[Effect]) -> Sheet:
    columns = ("rule", "kinds", "sense", "links", "pairs", "covered", "largest", "truth (chance)", "alike (random)")
    rows = [
        (
            _names(effects).index(each.rule) + 1,
            " – ".join(each.kinds),
            " ".join(_sense(each.must, each.hard)),
            each.links,
            each.pairs,
            ", ".join(f"{count} ({share:.0%})" for count, share in zip(each.covered, each.shares, strict=True)),
            ", ".join(map(str, each.largest[:3])) + (", …" if len(each.largest) > 3 else ""),
            _beside(_percent(each.truth), _percent(each.chance)),
            _beside(_cosine(each.alike), _cosine(each.random)),
        )
        for each in effects
    ]
    return Sheet(columns, rows, right=frozenset({"rule", *columns[3:]} - {"largest"}))


def _effects_in_full(effects: Sequence[Effect]) -> Sheet:
    columns = (
        "rule", "kinds", "must", "hard", "links", "pairs", "groups", "covered", "nodes", "largest", "truth", "chance",
        "alike", "random",
    )  # fmt: skip
    return Sheet(columns, [tuple(_effect(each)[name] for name in columns) for each in effects])


def _effect(effect: Effect) -> dict[str, Any]:
    lists = ("kinds", "covered", "nodes", "largest", "most_tied")
    return asdict(effect) | {name: list(getattr(effect, name)) for name in lists} | {"shares": list(effect.shares)}


def _facts(found: Previewed) -> Iterator[str]:
    preview = found.preview
    yield fact("covered", ", ".join(f"{kind} {preview.covered[kind]} of {n}" for kind, n in preview.nodes.items()))
    if preview.ranked:
        yield fact("ordered", ", ".join(f"{kind} {n} of {preview.nodes[kind]}" for kind, n in preview.ranked.items()))
    yield fact("hard groups", f"{preview.groups}" + (", the largest:" if preview.largest else ""))
    for each in preview.largest:
        keys = ", ".join(str(key) for _, key in each.some)
        yield fact("", f"{each.size} nodes: {keys}{', …' if each.size > len(each.some) else ''}")
    if preview.vain:
        yield fact("in vain", f"{counted(preview.vain, 'soft cannot-link')} inside hard groups")
    first = f", the first {len(found.conflicts)}:" if len(found.conflicts) < found.n_conflicts else ""
    yield fact("conflicts", f"{found.n_conflicts or 'none'}{first}")
    yield from (f"  {sentence}" for sentence in found.conflicts)
    yield from (fact("too crowded", sentence) for sentence in found.crowded)
    yield from (f"warning: {sentence}" for sentence in preview.warnings)


def _broken(pair: BrokenPair, nodes: Mapping[str, Nodes], rules: Sequence[str]) -> dict[str, Any]:
    return {
        "kind": pair.kind,
        "key": nodes[pair.kind][pair.position],
        "other_kind": pair.other_kind,
        "other_key": nodes[pair.other_kind][pair.other],
        "must": pair.must,
        "hard": pair.hard,
        "weight": pair.weight,
        "rule": rules[pair.rule] if pair.rule >= 0 else "",
    }


def _about(each: Met) -> tuple[str, str, str, str]:
    return each.rule or _NO_RULE, " – ".join(each.kinds), *_sense(each.must, each.hard)


def _sense(must: bool, hard: bool) -> tuple[str, str]:
    return "must" if must else "cannot", "hard" if hard else "soft"


def _percent(share: float | None) -> str | None:
    return None if share is None else f"{share:.1%}"


def _cosine(value: float | None) -> str | None:
    return None if value is None else f"{value:.3f}"


def _beside(value: str | None, usual: str | None) -> str | None:
    return None if value is None else f"{value} ({usual or '–'})"
