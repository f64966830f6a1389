"""Load a made-up dblp.xml and measure time and memory: ``python -m benchmarks.dblp --megabytes 200``.

The records are as long as DBLP's are and have as many authors and words: some 600 bytes a paper with all that is not
loaded (pages, links, home pages of persons). Each load is a process of its own, whose largest resident set the kernel
tells.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

__all__ = ["main", "write_dblp"]

_SYLLABLES = (
    "an",
    "bor",
    "cal",
    "dim",
    "est",
    "fur",
    "gran",
    "hol",
    "in",
    "ker",
    "lin",
    "mod",
    "net",
    "op",
    "ral",
    "tor",
)
_SMALL = ("a", "for", "in", "of", "on", "the", "with")
_HEAD = """<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE dblp SYSTEM "dblp.dtd">
<dblp>
"""
_MB = 2**20


def write_dblp(path: Path, size: int, seed: int = 0) -> int:
    """Write a file of about ``size`` bytes and return how many papers it has."""
    chance = random.Random(seed)
    words = _Zipf([_word(number) for number in range(80_000)], chance)
    venues = _Zipf([f"{_word(number).upper()}" for number in range(3_000)], chance)
    papers = 0
    with path.open("w", encoding="latin-1") as file:
        written = file.write(_HEAD)
        while written < size:
            papers += 1
            written += file.write("".join(_paper(papers, words, venues, chance)))
            if papers % 3 == 0:  # almost a third of DBLP's elements are home pages of persons
                written += file.write(
                    f'<www mdate="2020-01-01" key="homepages/{papers}"><title>Home Page</title></www>\n'
                )
        file.write("</dblp>\n")
    return papers


def _paper(number: int, words: "_Zipf", venues: "_Zipf", chance: random.Random) -> Iterator[str]:
    venue, year = venues.one(), chance.randrange(1970, 2026)
    journal = number % 2 == 0
    element, place = ("article", "journal") if journal else ("inproceedings", "booktitle")
    yield f'<{element} mdate="2021-03-0{number % 9 + 1}" key="{element}/{venue.lower()}/{number}">\n'
    # Most authors have written before, the more the likelier; there are some 1.2 new ones a paper.
    for _ in range(chance.choice((1, 2, 2, 3, 3, 3, 4, 4, 5, 6))):
        person = int(number * 1.2 * chance.random() ** 0.7)
        yield f'<author orcid="0000-0002-{person % 9999:04d}-000X">{_name(person)}</author>\n'
    title = " ".join(words.one() if place % 3 else chance.choice(_SMALL) for place in range(9))
    yield f"<title>{title.capitalize()}.</title>\n<pages>{number % 900}-{number % 900 + 12}</pages>\n"
    yield f"<year>{year}</year>\n<volume>abs/{number}</volume>\n<{place}>{venue}</{place}>\n"
    yield f"<ee>https://doi.org/10.1145/{number}.{number}</ee>\n<crossref>conf/{venue.lower()}/{year}</crossref>\n"
    yield f"<url>db/{venue.lower()}/{year}.html#{number}</url>\n</{element}>\n"


class _Zipf:
    """Values of which the nth comes in proportion to 1/n."""

    def __init__(self, values: list[str], chance: random.Random) -> None:
        self._values, self._chance = values, chance
        self._weights = list(accumulate(1 / (rank + 10) for rank in range(len(values))))
        self._drawn: list[str] = []

    def one(self) -> str:
        if not self._drawn:
            self._drawn = self._chance.choices(self._values, cum_weights=self._weights, k=10_000)
        return self._drawn.pop()


def _word(number: int) -> str:
    parts = [_SYLLABLES[number % 16]]
    while number := number // 16:
        parts.append(_SYLLABLES[number % 16])
    return "".join(parts)


def _name(person: int) -> str:
    return f"J&ouml;rg {_word(person).capitalize()} {_word(person * 7 % 9973).capitalize()}"


def load(file: Path, database: str, *flags: str) -> tuple[float, int]:
    """Load a file in a new process; return seconds and the largest resident set in bytes."""
    script = (
        "import sys; from graphmine.cli.app import app; sys.exit(code) if (code := app(sys.argv[1:], "
        "standalone_mode=False)) else None; "
        "print([line for line in open('/proc/self/status') if line.startswith('VmHWM')][0].split()[1])"
    )
    command = [sys.executable, "-c", script, "load", "dblp", str(file), "--db", database, *flags]
    start = time.perf_counter()
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=dict(os.environ))
    print(done.stdout, file=sys.stderr)
    return time.perf_counter() - start, int(done.stdout.split()[-1]) * 1024


def main() -> None:
    """Measure what the command line says and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.dblp", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--megabytes", type=int, nargs="+", default=[200], help="the lengths of the files")
    parser.add_argument("--db", help="as --db of graphmine; without it a new embedded database for each")
    asked = parser.parse_args()
    print("| file | papers | what | time | peak memory |\n| ---: | ---: | --- | ---: | ---: |")
    for megabytes in asked.megabytes:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "dblp.xml")
            papers = write_dblp(file, megabytes * _MB)
            for what in ("into an empty database", "the same again"):
                seconds, peak = load(file, asked.db or str(Path(folder, "dblp.lbug")))
                print(f"| {megabytes} MB | {papers:,} | {what} | {seconds:.0f} s | {peak / _MB:.0f} MB |", flush=True)


if __name__ == "__main__":
    main()
