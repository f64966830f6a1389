MATCH (:@source)-[r:@type]->(:@target) WITH count(r) AS n RETURN n
