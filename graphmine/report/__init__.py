"""A clustering and a star in, something a person can read out."""
