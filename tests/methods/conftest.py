"""Each check of the contract runs over those METHODS of its file that it is about."""

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for mark in metafunc.definition.iter_markers("methods_that"):
        methods = metafunc.module.METHODS
        metafunc.parametrize("name", [name for name, each in methods.items() if mark.kwargs["which"](each.traits)])


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out checks that are about none of the methods of their file."""
    items[:] = [item for item in items if not (item.get_closest_marker("methods_that") and "NOTSET" in item.name)]
