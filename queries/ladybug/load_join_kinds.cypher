// Let a relationship type join two kinds, if it does not already.
ALTER TABLE @type ADD IF NOT EXISTS FROM @source TO @target
