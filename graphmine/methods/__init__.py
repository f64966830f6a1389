"""One file a published method, and the catalog of them."""
