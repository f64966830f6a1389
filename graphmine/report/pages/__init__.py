"""The pages that commands print, a module for each subject: its tables, sentences and JSON."""
