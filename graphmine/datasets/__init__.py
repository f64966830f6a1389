"""Networks to load: real, generated, from files and from networkx."""
