"""One page per command: the tables and sentences that it prints."""
