"""What constraints say before a fit, how far they were met, and which pairs are broken."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import pyarrow as pa

from graphmine.constraints.preview import Effect
from graphmine.constraints.satisfaction import Broken, BrokenPair, Met
from graphmine.model import Nodes
from graphmine.report.page import Page, Sheet, counted, fact, number
from graphmine.verbs.constrain import Previewed

__all__ = ["broken_page", "links_page", "met_parts", "met_sheet", "preview_page"]

_NO_RULE = "(no rule)"
_ENDS = ("kind", "key", "other_kind", "other_key")


def preview_page(found: Previewed) -> Page:
    """Return what each rule would make of a network, and what speaks against trusting it."""
    preview = found.preview
    lines = "\n".join(_facts(found))
    table = _effects(preview.effects)
    data = {
        "rules": [_effect(effect, found) for effect in preview.effects],
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
    return Page(data, parts, _effects_in_full(found))


def met_parts(met: Sequence[Met], repeats: Collection[str]) -> tuple[Sheet | str, ...]:
    """Return how far each rule was met, and which of them repeat the relation; nothing where there are no rules."""
    told = "\n".join(_repeating(dict.fromkeys(each.rule for each in met), repeats))
    return (*((met_sheet(met),) if met else ()), *((told,) if told else ()))


def met_sheet(met: Iterable[Met]) -> Sheet:
    """Return how far each rule was met, in a line; and how far it is trusted, where a method says.

    >>> met_sheet([Met("friends", ("Author",), True, False, links=1, pairs=6, met=1, unplaced=3)]).rows
    [('friends', 'Author', 'must', 'soft', 6, 1, 2, 3, '33.3%')]
    """
    met = list(met)
    judged = any(each.trust is not None for each in met)
    more = ("trust",) if judged else ()
    columns = ("rule", "kinds", "sense", "firmness", "pairs", "met", "broken", "unplaced", "share", *more)
    rows = []
    for each in met:
        counts = (each.pairs, each.met, each.broken, each.unplaced, _percent(each.share))
        rows.append((*_about(each), *counts, *((_trusted(each.trust),) if judged else ())))
    return Sheet(columns, rows, "constraints met", right=frozenset(columns[4:]))


def broken_page(broken: Broken, nodes: Mapping[str, Nodes], rules: Sequence[str]) -> Page:
    """Return pairs of nodes that are not as a rule wants them, by their keys."""
    records = [_broken(pair, nodes, rules) for pair in broken.pairs]
    judged = ("trust",) if any(each["trust"] is not None for each in records) else ()
    columns = ("kind", "key", "other kind", "other key", "sense", "firmness", "weight", *judged, "rule")
    rows, shown = [], []
    for each in records:
        first = (*(each[name] for name in _ENDS), *_sense(each["must"], each["hard"]))
        rows.append((*first, each["weight"], *(each[name] for name in judged), each["rule"]))
        trust = (_trusted(each[name]) for name in judged)
        shown.append((*first, number(each["weight"]), *trust, each["rule"] or _NO_RULE))
    table = Sheet(columns, shown, right=frozenset({"weight", *judged}))
    told = f"{counted(broken.total, 'pair')} {'is' if broken.total == 1 else 'are'} broken"
    told += _listed(len(records), broken.total)
    parts = (table, told) if records else (told,)
    return Page({"total": broken.total, "pairs": records}, parts, Sheet(columns, rows))


def links_page(links: pa.Table, most: int, *, least_trusted: bool = False) -> Page:
    """Return links with their trust, at most so many: rule by rule, or the least trusted first."""
    if least_trusted:
        links = links.sort_by("trust")  # is stable, so that links that are trusted alike stay in their order
    records = links.slice(0, most).to_pylist()
    columns = ("kind", "key", "other kind", "other key", "sense", "firmness", "weight", "trust", "state", "rule")
    shown = [
        (
            each["kind"],
            _unit(each["key"], each["size"]),
            each["other_kind"],
            "one another" if _loop(each) else _unit(each["other_key"], each["other_size"]),
            *_sense(each["must"], each["hard"]),
            number(each["weight"]),
            _trusted(each["trust"]),
            _state(each),
            each["rule"] or _NO_RULE,
        )
        for each in records
    ]
    table = Sheet(columns, shown, right=frozenset({"weight", "trust"}))
    told = counted(links.num_rows, "link") + _listed(len(records), links.num_rows)
    sheet = Sheet(tuple(links.column_names), [tuple(each.values()) for each in records])
    return Page({"total": links.num_rows, "links": records}, (table, told), sheet)


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


def _effects_in_full(found: Previewed) -> Sheet:
    columns = (
        "rule", "kinds", "must", "hard", "links", "pairs", "groups", "covered", "nodes", "largest", "truth", "chance",
        "alike", "random", "repeats",
    )  # fmt: skip
    effects = (_effect(each, found) for each in found.preview.effects)
    return Sheet(columns, [tuple(each[name] for name in columns) for each in effects])


def _effect(effect: Effect, found: Previewed) -> dict[str, Any]:
    lists = {name: list(getattr(effect, name)) for name in ("kinds", "covered", "nodes", "largest", "most_tied")}
    repeats = effect.rule in found.constraints.repeats
    return asdict(effect) | lists | {"shares": list(effect.shares), "repeats": repeats}


def _repeating(rules: Iterable[str], repeats: Collection[str]) -> Iterator[str]:
    yield from (f"repeats the relation: {rule}" for rule in rules if rule in repeats)


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
    yield from _repeating(_names(preview.effects), found.constraints.repeats)
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
        "trust": pair.trust,
    }


def _loop(link: Mapping[str, Any]) -> bool:
    """Whether a link joins a group with itself, and so has only half of the pairs of two groups."""
    return bool(link["size"] > 1 and link["pairs"] < link["size"] * link["other_size"])


def _unit(text: str, size: int) -> str:
    return text if size == 1 else f"{text} ({size} nodes)"


def _state(link: Mapping[str, Any]) -> str:
    """Say whether a link is met; of one that stands for many pairs, how many of them are not."""
    judged = link["pairs"] - link["unplaced"]
    if not judged:
        return "unplaced"
    if not link["broken"]:
        return "met"
    return "broken" if link["pairs"] == 1 else f"{link['broken']} of {judged} broken"


def _listed(listed: int, total: int) -> str:
    return f", of which {listed} {'is' if listed == 1 else 'are'} listed" if listed < total else ""


def _about(each: Met) -> tuple[str, str, str, str]:
    return each.rule or _NO_RULE, " – ".join(each.kinds), *_sense(each.must, each.hard)


def _sense(must: bool, hard: bool) -> tuple[str, str]:
    return "must" if must else "cannot", "hard" if hard else "soft"


def _percent(share: float | None) -> str | None:
    return None if share is None else f"{share:.1%}"


def _trusted(trust: float | None) -> str | None:
    return None if trust is None else f"{trust:.2f}"


def _cosine(value: float | None) -> str | None:
    return None if value is None else f"{value:.3f}"


def _beside(value: str | None, usual: str | None) -> str | None:
    return None if value is None else f"{value} ({usual or '–'})"
