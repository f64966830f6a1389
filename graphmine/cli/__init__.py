"""The command line, a module for each command: it parses, calls one verb, and prints a page."""
