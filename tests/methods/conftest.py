"""Each check of the contract runs over those METHODS of its file that it is about."""

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for mark in metafunc.definition.iter_markers("methods_that"):
        methods = metafunc.module.METHODS
        metafunc.parametrize("name", [name for name, each in methods.items() if mark.kwargs["which"](each.traits)])
