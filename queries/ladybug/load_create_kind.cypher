// A table for a kind, with nothing but its key.
CREATE NODE TABLE @kind(@key @column_type PRIMARY KEY)
