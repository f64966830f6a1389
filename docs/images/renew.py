"""Draw the pictures of docs/pictures.md again: ``python docs/images/renew.py``. They are the same every time."""

from io import BytesIO
from pathlib import Path

from matplotlib.figure import Figure
from PIL import Image

import graphmine as gm

HERE = Path(__file__).resolve().parent
VENUES = "Author-WROTE->Paper-IN->Conference"


def keep(figure: Figure, name: str, width: int = 900) -> None:
    """Write a figure small, in few colours."""
    drawn = BytesIO()
    figure.savefig(drawn, format="png", dpi=160, facecolor="white")
    picture = Image.open(drawn).convert("RGB")
    picture = picture.resize((width, picture.height * width // picture.width), Image.Resampling.LANCZOS)
    few = picture.quantize(64, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(HERE / f"plot-{name}.png", optimize=True)


def main() -> None:
    """Mine two networks and draw them in every way."""
    with gm.connect(":memory:") as store:
        gm.load(store, gm.davis())
        gm.load(store, gm.academic(authors=1000))
        women = gm.mine(store, gm.Job(relation="Woman-ATTENDED->Event", n_clusters=2))
        areas = gm.mine(store, gm.Job(relation=VENUES, n_clusters=4))
        fields = gm.Job(relation=VENUES, n_clusters=4, method="scm")
        evolved = gm.evolve(store, fields, "Paper.year", window=10, step=5, since=2001, until=2025)
    keep(gm.plot(women, kind="matrix"), "matrix", 600)
    keep(gm.plot(women, kind="network"), "network")
    keep(gm.plot(areas, kind="network"), "clusters", 700)
    keep(gm.plot(areas, kind="sizes"), "sizes", 500)
    keep(gm.plot(evolved, kind="flow", only="Author"), "flow")


if __name__ == "__main__":
    main()
