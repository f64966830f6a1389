// The properties that are unique for a kind: each can serve as its key.
SHOW CONSTRAINTS YIELD type, entityType, labelsOrTypes, properties
WHERE entityType = 'NODE' AND (type CONTAINS 'UNIQUENESS' OR type = 'NODE_KEY') AND size(properties) = 1
RETURN labelsOrTypes[0] AS kind, properties[0] AS key ORDER BY kind, key
