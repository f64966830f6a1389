// Every kind of node in use.
CALL db.labels() YIELD label RETURN label AS kind ORDER BY kind
