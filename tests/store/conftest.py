"""The sample database registers itself when it is imported."""

import tests.store.sample  # noqa: F401
