"""The verbs, put together from stores and methods, which do not know each other."""
