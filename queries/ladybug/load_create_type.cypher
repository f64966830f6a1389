// A table for a relationship type, with no property.
CREATE REL TABLE @type(FROM @source TO @target)
