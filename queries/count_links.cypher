MATCH (:@source)-[r:@type]->(:@target) RETURN count(r) AS n
