"""Small files in DBLP's format."""

import gzip
from pathlib import Path

HEAD = '<?xml version="1.0" encoding="ISO-8859-1"?>\n<!DOCTYPE dblp SYSTEM "dblp.dtd">\n<dblp>\n'


def paper(
    key: str, title: str, *authors: str, year: int | None = 2000, venue: str = "KDD", element: str = "inproceedings"
) -> str:
    """Return a record, a line a field."""
    place = "journal" if element == "article" else "booktitle"
    fields = [f"<author>{name}</author>" for name in authors] + [f"<title>{title}</title>"]
    fields += [f"<year>{year}</year>"] if year else []
    fields += [f"<{place}>{venue}</{place}>"] if venue else []
    return "\n".join([f'<{element} mdate="2020-01-01" key="{key}">', *fields, f"</{element}>", ""])


SMALL = (
    paper("conf/kdd/1", "Mining the <i>Graphs</i> of H<sub>2</sub>O.", "J&ouml;rg Sander", "Wei Wang 0001", year=1998)
    + paper("journals/tods/2", "Graphs &amp; more graphs.", "Wei Wang 0001", venue="TODS", element="article")
    + paper("conf/kdd/3", "On the Joins.", "Ann O'Neill", year=2004)
    + paper("books/4", "A chapter.", "Bo", venue="", year=None, element="incollection")
    + '<proceedings key="conf/kdd/2004"><editor>Ed</editor><title>KDD 2004</title></proceedings>\n'
    + '<www key="homepages/1"><author>Ed</author><title>Home Page</title></www>\n'
)
"""Four papers of three sorts, and what is no paper."""


def written(path: Path, records: str, *, head: str = HEAD, encoding: str = "latin-1", end: str = "</dblp>\n") -> Path:
    """Write records into a file, packed if its name says so."""
    data = (head + records + end).encode(encoding)
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path
