"""The command line: parse, one verb, print."""
