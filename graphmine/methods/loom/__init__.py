"""Loom, graphmine's own method: a spectral start, refined by leave-one-out likelihood and weighted links."""
