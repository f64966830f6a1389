"""What the fields of a job mean, in a sentence each: for drafts of jobs, and for editors."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from graphmine.closure.resolve import RESOLUTIONS
from graphmine.job.evolution import EVOLVE_FIELDS, MEMORY, Timeline
from graphmine.job.fits import FIT_FIELDS
from graphmine.job.job import Job
from graphmine.methods.catalog import CATALOG
from graphmine.methods.n_clusters import AUTO

__all__ = ["ABOUT", "EXAMPLES", "job_schema"]

ABOUT: Mapping[str, str] = {
    "relation": "What to cluster: a relationship type, a path of them, or several that share a kind.",
    "n_clusters": "How many clusters: a number, 'auto' to choose it from the data, or a number for each kind.",
    "db": "The database: a path, or an address such as neo4j://localhost; without it GRAPHMINE_DB and NEO4J_URI say.",
    "where": "Filters: only nodes that pass them are read.",
    "key": "What names the nodes of a kind, where the database does not say.",
    "constrain": "Rules for who belongs together and who does not; docs/constraints.md has them all.",
    "on_conflict": "What gives way where hard rules contradict each other: error, drop-cannot, drop-must or weaken.",
    "method": "How to cluster: a name that `graphmine methods` lists.",
    "param": "Other parameters of the method.",
    "seed": "The same seed gives the same labels.",
    "hierarchy": "Whether to split in two again and again, into n_clusters leaves: a taxonomy.",
    "write": "The node property to write the labels to; without it nothing is written.",
    "overwrite": "Whether values may be replaced that graphmine did not write.",
    "align": "The run whose cluster numbers to follow; 'none' for as they come. Without it, the last of that property.",
    "name": "What the fit is called where several are compared; without it, its method.",
    "by": "For `graphmine evolve`: the property that holds the time, a number.",
    "window": "For `graphmine evolve`: how many units of time a snapshot covers; 'all' for all so far.",
    "step": "For `graphmine evolve`: how many units lie between two snapshots.",
    "since": "For `graphmine evolve`: the first unit of time; without it, the first there is.",
    "until": "For `graphmine evolve`: the last unit of time; without it, the last there is.",
    "memory": "For `graphmine evolve`: how much a node's cluster in the snapshot before weighs; 0 for none.",
    "fit": "Fits to compare, one a table: what stands above them is for all that do not say it themselves.",
}

EXAMPLES: Mapping[str, object] = {
    "where": "Paper.year >= 2000",
    "key": "Author.name",
    "constrain": "must Author-WROTE->Paper<-WROTE-Author >= 3",
    "write": "area",
    "by": "Paper.year",
    "since": 2000,
    "until": 2025,
    "align": "last",
    "name": "plain",
    "db": "graphmine.lbug",
}
"""What a field without a default may look like."""


_JsonSchema = dict[str, Any]

_PLAIN: Mapping[object, _JsonSchema] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    Any: {},
}


def job_schema() -> _JsonSchema:
    """Return the schema of a job file, draft 2020-12.

    >>> schema = job_schema()
    >>> schema["required"], schema["properties"]["method"]["default"]
    (['relation'], 'loom')
    """
    own = _properties()
    fit = {
        "type": "object",
        "properties": {name: own[name] for name in FIT_FIELDS},
        "additionalProperties": False,
        "allOf": [_parameters_of(name, {"required": ["method"]}) for name in CATALOG] + [_LEAVES],
    }
    fits = {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/fit"}, "description": ABOUT["fit"]}
    one = {"not": {"required": ["fit"]}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A job for graphmine",
        "description": "What to pull, how to constrain and fit it, where to push.",
        "type": "object",
        "properties": {**own, **_time(), "fit": fits},
        "required": ["relation"],
        "additionalProperties": False,
        "dependentRequired": {name: ["by"] for name in EVOLVE_FIELDS if name != "by"},
        "dependentSchemas": {"by": one},
        "allOf": [
            {
                "if": {"not": {"required": ["n_clusters"]}},
                "then": {"required": ["fit"], "properties": {"fit": {"items": {"required": ["n_clusters"]}}}},
            },
            *(_parameters_of(name, one if name == Job.method else {"required": ["method"], **one}) for name in CATALOG),
            _LEAVES,
        ],
        "$defs": {"fit": fit, **{f"param of {name}": _parameters(name) for name in CATALOG}},
    }


_LEAVES: _JsonSchema = {
    "if": {"properties": {"hierarchy": {"const": True}}, "required": ["hierarchy"]},
    "then": {"properties": {"n_clusters": {"type": "integer", "minimum": 2}}},
}
"""A hierarchy needs a number of leaves."""


def _properties() -> dict[str, _JsonSchema]:
    """Return the fields of a job."""
    number = {"type": "integer", "minimum": 1}
    narrower: dict[str, _JsonSchema] = {
        "n_clusters": {"anyOf": [number, {"const": AUTO}, {"type": "object", "additionalProperties": number}]},
        "relation": _texts(minItems=1),
        "constrain": _texts(),
        "method": {"enum": list(CATALOG)},
        "on_conflict": {"enum": list(RESOLUTIONS)},
        "seed": {"type": "integer", "minimum": 0},
        "param": {"type": "object"},
    }
    return _described(Job, {each.name: each.default for each in fields(Job)}, narrower)


def _time() -> dict[str, _JsonSchema]:
    """Return the fields that cut time."""
    from_one = {"type": "integer", "minimum": 1}
    narrower: dict[str, _JsonSchema] = {"window": {"anyOf": [from_one, {"const": "all"}]}, "step": from_one}
    found = _described(Timeline, {each.name: each.default for each in fields(Timeline)}, narrower)
    memory = {"type": "number", "minimum": 0, "description": ABOUT["memory"], "default": MEMORY}
    return {name: memory if name == "memory" else found[name] for name in EVOLVE_FIELDS}


def _described(of: type, defaults: Mapping[str, object], narrower: Mapping[str, _JsonSchema]) -> dict[str, _JsonSchema]:
    hints = get_type_hints(of)
    found = {}
    for name, default in defaults.items():
        found[name] = {**(narrower.get(name) or _typed(hints[name])), "description": ABOUT[name]}
        if isinstance(default, str | int | float | bool):
            found[name]["default"] = default
    return found


def _parameters_of(name: str, also: _JsonSchema) -> _JsonSchema:
    """Return that a job with this method has none but its parameters."""
    named = {"properties": {"method": {"const": name}}, **also}
    return {"if": named, "then": {"properties": {"param": {"$ref": f"#/$defs/param of {name}"}}}}


def _parameters(name: str) -> _JsonSchema:
    """Return the parameters of a method, by every spelling, but for the number of clusters, which is a field."""
    hints = get_type_hints(CATALOG[name])
    known = {each.name: _typed(hints[each.name]) for each in fields(CATALOG[name]) if each.name != "n_clusters"}
    spelled = {given: known[meant] for given, meant in CATALOG[name].traits.aliases.items()}
    title = f"Parameters of {name}: {CATALOG[name].traits.title}"
    return {"type": "object", "properties": {**known, **spelled}, "additionalProperties": False, "description": title}


def _texts(**limits: int) -> _JsonSchema:
    return {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, **limits}]}


def _typed(hint: Any) -> _JsonSchema:
    """Return the schema of what a type holds; nothing is said of what TOML can not write.

    >>> _typed(float | Literal["auto"] | None)
    {'anyOf': [{'type': 'number'}, {'enum': ['auto']}]}
    >>> _typed(tuple[float, float])
    {'type': 'array', 'items': {'type': 'number'}, 'minItems': 2, 'maxItems': 2}
    """
    origin, within = get_origin(hint), get_args(hint)
    if hint in _PLAIN:
        return dict(_PLAIN[hint])
    if origin is Literal:
        return {"enum": list(within)}
    if origin in (Union, UnionType):
        parts = [_typed(each) for each in within if each is not NoneType]
        return parts[0] if len(parts) == 1 else {"anyOf": parts}
    if origin is tuple:
        length = {} if within[-1] is Ellipsis else {"minItems": len(within), "maxItems": len(within)}
        return {"type": "array", "items": _typed(within[0]), **length}
    if origin is Sequence:
        return _texts()
    return {"type": "object"} if origin is Mapping else {}
