"""Writing a result to files: CSV, Parquet, GraphML, JSON."""

import csv
import json
import re
from collections.abc import Callable, Iterator, Mapping
from math import isfinite
from pathlib import Path
from typing import IO, Any
from xml.sax.saxutils import XMLGenerator, escape
from xml.sax.xmlreader import AttributesImpl

import pyarrow as pa
import pyarrow.parquet as pq

from graphmine.datasets.cells import heading, inferred_column, text_column
from graphmine.datasets.graph_files import NAMES
from graphmine.errors import DataError
from graphmine.verbs.export.contents import Contents, free_name, node_attributes, plain_values
from graphmine.verbs.export.frames import is_multigraph, label_table

__all__ = ["FOLDERS", "LABELS", "WHOLE", "file_names"]

_RECORD = b"graphmine.run"
_HEADERS = {pa.int64(): "int", pa.float64(): "float", pa.bool_(): "bool", pa.string(): "string"}
_GRAPHML_TYPES = {pa.int64(): "long", pa.float64(): "double", pa.bool_(): "boolean", pa.string(): "string"}
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def file_names(out: Contents, suffix: str) -> dict[str, str]:
    """Return the file of each kind and each relation in a folder, by the name that `load csv` takes for it."""
    wanted = {kind: kind for kind in out.nodes}
    wanted |= {links.name: f"{links.source.kind}-{links.type}-{links.target.kind}" for links in out.relations}
    found: dict[str, str] = {}
    for name, file in wanted.items():
        stem = re.sub(r"[^\w .-]", "_", file).strip(". ") or "_"
        while f"{stem}{suffix}".lower() in {each.lower() for each in found.values()} | {"run.json"}:
            stem += "_"
        found[name] = f"{stem}{suffix}"
    return found


def _write_folder(out: Contents, folder: Path, suffix: str, write: Callable[[Iterator[pa.Table], Path], None]) -> None:
    folder.mkdir()
    files = file_names(out, suffix)
    for (name, file), links in zip(files.items(), [None] * len(out.nodes) + list(out.relations), strict=True):
        tables = iter([out.table(name)]) if links is None else links.tables()
        write(tables, folder / file)
    (folder / "run.json").write_text(_record(out) + "\n", encoding="utf-8")


def _csv_folder(out: Contents, folder: Path) -> None:
    _write_folder(out, folder, ".csv", _write_csv)


def _parquet_folder(out: Contents, folder: Path) -> None:
    _write_folder(out, folder, ".parquet", _write_parquet)


def _csv_labels(out: Contents, path: Path) -> None:
    _write_csv(iter([label_table(out)]), path)


def _parquet_labels(out: Contents, path: Path) -> None:
    table = label_table(out)
    pq.write_table(table.replace_schema_metadata({_RECORD: _record(out).encode()}), path)


def _write_csv(tables: Iterator[pa.Table], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        for number, table in enumerate(tables):
            columns = [plain_values(column.combine_chunks()) for column in table.columns]
            if not number:
                writer.writerow(map(_header, table.column_names, columns))
            writer.writerows(zip(*map(_cells, columns), strict=True))


def _cells(column: pa.Array) -> list[Any]:
    if pa.types.is_boolean(column.type):
        return [None if each is None else str(each).lower() for each in column.to_pylist()]
    values: list[Any] = column.to_pylist()
    return values


def _header(name: str, column: pa.Array) -> str:
    """Return a column's name; with its type, where a reader would take the cells for something else."""
    cells = text_column(["" if each is None else str(each) for each in column.to_pylist()])
    guessed = inferred_column(cells).type
    same = (guessed == column.type or column.null_count == len(column)) and heading(name)[1] is None
    return name if same else f"{name}:{_HEADERS[column.type]}"


def _write_parquet(tables: Iterator[pa.Table], path: Path) -> None:
    first = next(tables)
    with pq.ParquetWriter(path, first.schema) as writer:
        writer.write_table(first)
        for table in tables:
            writer.write_table(table)


def _graphml(out: Contents, path: Path) -> None:
    """Write GraphML as a stream; networkx and others would build the whole document first."""
    kind_name = _kind_attribute(out)
    tables = {kind: _graphml_table(out, kind, kind_name) for kind in out.nodes}
    # An attribute has one type, but two may share a name: what is text in one kind may be a number in another.
    told = dict.fromkeys((field.name, _GRAPHML_TYPES[field.type]) for each in tables.values() for field in each.schema)
    ids = {attribute: f"n{number}" for number, attribute in enumerate(told)}
    with path.open("w", encoding="utf-8") as file:
        xml = XMLGenerator(file, "utf-8", short_empty_elements=True)
        xml.startDocument()
        xml.startElement("graphml", AttributesImpl({"xmlns": "http://graphml.graphdrawing.org/xmlns"}))
        declared = [(id_, "node", name, type_) for (name, type_), id_ in ids.items()]
        declared += [("type", "edge", "type", "string"), ("relation", "edge", "relation", "string")]
        declared += [("weight", "edge", "weight", "double"), ("run", "graph", "run", "string")]
        declared += [(NAMES, "graph", NAMES, "string")]
        for id_, of, name, type_ in declared:
            given = {"id": id_, "for": of, "attr.name": _xml(name, "a property's name"), "attr.type": type_}
            xml.startElement("key", AttributesImpl(given))
            xml.endElement("key")
        xml.startElement("graph", AttributesImpl({"edgedefault": "directed"}))
        _data(xml, "run", _xml(_record(out), "the run's record"))
        names = {"kind": kind_name, "keys": {kind: out.key[kind] for kind, nodes in out.nodes.items() if len(nodes)}}
        _data(xml, NAMES, _xml(json.dumps(names, ensure_ascii=False), "the name of a kind or key"))
        number = 0
        for kind, table in tables.items():
            keys = [ids[field.name, _GRAPHML_TYPES[field.type]] for field in table.schema]
            for row in zip(*(column.to_pylist() for column in table.columns), strict=True):
                xml.startElement("node", AttributesImpl({"id": f"n{number}"}))
                for key, value in zip(keys, row, strict=True):
                    if value is not None:
                        _data(xml, key, _xml(_graphml_text(value), f"{kind} {row[1]!r}"))
                xml.endElement("node")
                number += 1
        for link in _links(out):
            xml.startElement("edge", AttributesImpl({"source": link["source"], "target": link["target"]}))
            for name in ("type", "relation", "weight"):
                _data(xml, name, _xml(str(link[name]), "a relation"))
            xml.endElement("edge")
        xml.endElement("graph")
        xml.endElement("graphml")
        xml.endDocument()


def _data(xml: XMLGenerator, key: str, text: str) -> None:
    xml.startElement("data", AttributesImpl({"key": key}))
    xml.ignorableWhitespace(escape(text, {"\r": "&#13;"}))  # as it is; a bare \r would be read as \n
    xml.endElement("data")
    xml.ignorableWhitespace("\n")


def _kind_attribute(out: Contents) -> str:
    """Return what the attribute is called that tells a node's kind: ``kind``, unless a key has that name."""
    return free_name("kind", out.key.values())


def _graphml_table(out: Contents, kind: str, kind_name: str) -> pa.Table:
    """Return the nodes of a kind as whole numbers, numbers, truth values and text: kind, key, cluster, properties."""
    table = out.table(kind)
    columns = {kind_name: pa.array([kind] * len(table), pa.string())}
    for name, column in zip(table.column_names, table.columns, strict=True):
        columns[free_name(name, columns)] = plain_values(column.combine_chunks())
    return pa.table(columns)


def _graphml_text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value) if isinstance(value, float) else str(value)


def _xml(text: str, where: str) -> str:
    bad = _NOT_XML.search(text)
    if bad:
        raise DataError(
            f"{where} holds the character {bad[0]!r}, which no XML file can hold; export to JSON, CSV or Parquet"
        )
    return text


def _json(out: Contents, path: Path) -> None:
    """Write the node-link form of networkx, one line for each node and each link."""
    head = {"directed": True, "multigraph": is_multigraph(out), "graph": {"run": out.record}}
    with path.open("w", encoding="utf-8") as file:
        file.write(_dumped(head)[:-1] + ',\n"nodes": [')
        _write_lines(file, ({"id": id_} | node for id_, node in _nodes(out)))
        file.write('],\n"edges": [')
        _write_lines(file, _links(out))
        file.write("]}\n")


def _write_lines(file: IO[str], rows: Iterator[dict[str, Any]]) -> None:
    for number, row in enumerate(rows):
        file.write((",\n" if number else "\n") + _dumped(row))


def _nodes(out: Contents) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give every node with an id that is its own over all kinds."""
    number = 0
    for kind in out.nodes:
        for node in node_attributes(out, kind):
            yield f"n{number}", node
            number += 1


def _links(out: Contents) -> Iterator[dict[str, Any]]:
    first, number = {}, 0
    for kind, nodes in out.nodes.items():
        first[kind] = number
        number += len(nodes)
    for links in out.relations:
        told = {"type": links.type, "relation": links.relation}
        start, end = first[links.source.kind], first[links.target.kind]
        for one, other, weight in links.parts():
            for source, target, each in zip(one.to_pylist(), other.to_pylist(), weight.to_pylist(), strict=True):
                yield {"source": f"n{start + source}", "target": f"n{end + target}", **told, "weight": each}


def _record(out: Contents) -> str:
    return json.dumps(out.record, ensure_ascii=False, default=str)


def _dumped(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=str, allow_nan=False)
    except ValueError:  # somewhere there is a NaN
        return json.dumps(_simple(value), ensure_ascii=False, default=str, allow_nan=False)


def _simple(value: Any) -> Any:
    """Return a value without numbers that JSON does not know."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: _simple(each) for name, each in value.items()}
    return [_simple(each) for each in value] if isinstance(value, list | tuple) else value


FOLDERS = {"csv": _csv_folder, "parquet": _parquet_folder}
"""What writes a folder: one file for each kind and each relation, and the run's record."""
LABELS = {"csv": _csv_labels, "parquet": _parquet_labels}
"""What writes one file of labels."""
WHOLE = {"graphml": _graphml, "json": _json}
"""What writes nodes and links into one file."""
