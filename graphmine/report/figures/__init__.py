"""Pictures of clusterings for files and terminals, a module for each kind."""
