"""How the checks of the contract say which methods they are about."""

from collections.abc import Callable

import pytest

from graphmine.methods.base import Traits


def methods_that(which: Callable[[Traits], bool]) -> pytest.MarkDecorator:
    """Return what runs a check over the methods with such traits, of those that its file names as METHODS."""
    return pytest.mark.methods_that(which=which)
