"""What all pictures share: colours and fonts, names that fit, and the way to a file."""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphmine.errors import ParameterError
from graphmine.files import placing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "COLOURS", "FAINT", "INK", "RULE", "check_picture", "quiet_glyphs", "save", "shortened", "styled",
]  # fmt: skip

SUFFIXES = (".png", ".svg")
INK, FAINT, RULE = "#1f2933", "#9aa5b1", "#52606d"
COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377")
"""Bright, and told apart by colour-blind readers too (Paul Tol's scheme); then round again."""

_STYLE = {
    "text.parse_math": False,  # a dollar in a name is a dollar
    "font.family": "DejaVu Sans",
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": FAINT,
    "xtick.color": RULE,
    "ytick.color": RULE,
    "svg.hashsalt": "graphmine",
}


def check_picture(path: Path) -> None:
    """Refuse a picture that can not be drawn, before anything else is done."""
    if path.suffix.lower() not in SUFFIXES:
        raise ParameterError(f"picture must end in {' or '.join(SUFFIXES)}, was {str(path)!r}")
    if not path.parent.is_dir():
        raise ParameterError(f"picture {str(path)!r}: its folder does not exist")
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ParameterError(f"picture {str(path)!r} can not be written there")
    _matplotlib()


def save(figure: "Figure", path: str | Path) -> None:
    """Write a figure to a PNG or SVG file, the same every time, and whole or not at all."""
    form = Path(path).suffix[1:].lower()
    told = {"Date": None} if form == "svg" else None
    with styled(), quiet_glyphs(), placing(path) as there:
        figure.savefig(there, format=form, dpi=160, facecolor="white", metadata=told)


@contextmanager
def styled() -> Iterator[None]:
    """Have whatever is drawn inside look like graphmine's pictures; refused where matplotlib is missing."""
    with _matplotlib().rc_context(_STYLE):
        yield


@contextmanager
def quiet_glyphs() -> Iterator[None]:
    """Have a name in a script that the font does not have drawn without a warning."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph", UserWarning)
        yield


def shortened(text: str, longest: int) -> str:
    r"""Return text that fits, without characters that a picture can not hold.

    >>> shortened("a\nvery long name", 8)
    'a very …'
    """
    clean = "".join(character if character.isprintable() else " " for character in text)
    return clean if len(clean) <= longest else clean[: longest - 1] + "…"


def _matplotlib() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise ParameterError("pictures need matplotlib; install it with: pip install 'graphmine[plot]'") from None
    return matplotlib
