"""CBGC: consistent co-partitioning of stars, each relation cut in balance and the centre the same in all."""
