// New nodes; a null among the properties is left out.
UNWIND $properties AS properties
CREATE (n:@kind) SET n = properties
