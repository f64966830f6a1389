// A column for a property that a kind or relationship type did not have.
ALTER TABLE @table ADD @property @column_type
