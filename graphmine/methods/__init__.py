"""The methods: one file or package for each published one, what they share, and the catalog of them."""
