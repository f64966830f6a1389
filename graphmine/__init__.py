"""Mine heterogeneous networks that live in a graph database.

The names that `__init__.pyi` lists are imported on first use, so that ``import graphmine`` costs nothing.

>>> import graphmine as gm
>>> with gm.connect(":memory:") as store:
...     loaded = gm.load(store, gm.davis())
...     mined = gm.mine(store, gm.Job(relation="Woman-ATTENDED->Event", n_clusters=2, write="circle"))
>>> mined.clustering.sizes("Woman").tolist()
[9, 9]
"""

from graphmine.lazy_names import lazy_names

__version__ = "0.1.0"
__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
__all__ += ["__version__"]
