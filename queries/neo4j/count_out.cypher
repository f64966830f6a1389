// How many relationships of a type leave a kind; the database keeps that number.
MATCH (:@source)-[r:@type]->() RETURN count(r) AS n
