"""The data sets that can be loaded by name: what each holds and where to get it. `graphmine.datasets` reads them."""

from graphmine.dataset_catalog.base import Dataset, Option, folders
from graphmine.dataset_catalog.catalog import DATASETS, GROUPS

__all__ = ["DATASETS", "GROUPS", "Dataset", "Option", "folders"]
