// How many relationships of a type leave a kind, and how many arrive at another; the database keeps both numbers.
RETURN COUNT { (:@source)-[:@type]->() } AS out, COUNT { ()-[:@type]->(:@target) } AS into
