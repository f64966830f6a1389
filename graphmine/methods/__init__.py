"""One file a published method, and the catalog of them."""

from graphmine.methods.base import Method, Traits
from graphmine.methods.catalog import CATALOG, method
from graphmine.methods.loom import Loom
from graphmine.methods.scm import SCM
from graphmine.methods.sco import SCO

__all__ = ["CATALOG", "SCM", "SCO", "Loom", "Method", "Traits", "method"]
