"""Analysts' questions: query files with parameters, filled in from runs and asked of a database."""
