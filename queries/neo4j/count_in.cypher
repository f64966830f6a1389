// How many relationships of a type arrive at a kind; the database keeps this number.
MATCH ()-[r:@type]->(:@target) WITH count(r) AS n RETURN n
