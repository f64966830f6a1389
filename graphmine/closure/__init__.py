"""What follows from hard links: connected components, closure, contradictions and ways to resolve them."""
