"""The generators of the references beside them."""
