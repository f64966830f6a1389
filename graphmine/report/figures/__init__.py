"""Pictures: one file per kind of picture."""
