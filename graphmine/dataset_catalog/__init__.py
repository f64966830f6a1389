"""The sets that can be loaded by name: what each holds, where it can be had; `graphmine.datasets` reads them."""

from graphmine.dataset_catalog.base import Dataset, Option, folders
from graphmine.dataset_catalog.catalog import DATASETS, GROUPS

__all__ = ["DATASETS", "GROUPS", "Dataset", "Option", "folders"]
