"""LadybugDB, the embedded database."""
