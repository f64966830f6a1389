"""One file a published method, and the catalog of them."""

from graphmine.methods.base import Method, Traits
from graphmine.methods.catalog import CATALOG, method
from graphmine.methods.fcsc import FCSC
from graphmine.methods.inforco import InforCO
from graphmine.methods.l1 import L1
from graphmine.methods.lcm import LCM
from graphmine.methods.loom import Loom
from graphmine.methods.row_only import RowOnly
from graphmine.methods.scm import SCM
from graphmine.methods.sco import SCO
from graphmine.methods.vcm import VCM

__all__ = [
    "CATALOG",
    "FCSC",
    "L1",
    "LCM",
    "SCM",
    "SCO",
    "VCM",
    "InforCO",
    "Loom",
    "Method",
    "RowOnly",
    "Traits",
    "method",
]
