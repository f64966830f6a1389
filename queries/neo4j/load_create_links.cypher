// New relationships between nodes found by their keys.
UNWIND range(0, size($source) - 1) AS i
MATCH (a:@source {@source_key: $source[i]})
MATCH (b:@target {@target_key: $target[i]})
CREATE (a)-[r:@type]->(b) SET r = $properties[i]
