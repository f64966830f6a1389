"""The sets that can be loaded by name: what each holds, where it can be had; `graphmine.datasets` reads them."""

from graphmine.sets.base import Dataset, Option, folders
from graphmine.sets.catalog import DATASETS, GROUPS

__all__ = ["DATASETS", "GROUPS", "Dataset", "Option", "folders"]
