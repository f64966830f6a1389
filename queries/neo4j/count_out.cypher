// How many relationships of a type leave a kind; the database keeps this number.
MATCH (:@source)-[r:@type]->() WITH count(r) AS n RETURN n
