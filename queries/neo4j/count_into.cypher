// How many relationships of a type arrive at a kind; the database keeps that number.
MATCH ()-[r:@type]->(:@target) RETURN count(r) AS n
