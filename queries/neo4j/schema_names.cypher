// Every kind of node and every relationship type in use.
CALL db.labels() YIELD label RETURN label AS name, true AS is_kind
UNION ALL
CALL db.relationshipTypes() YIELD relationshipType RETURN relationshipType AS name, false AS is_kind
