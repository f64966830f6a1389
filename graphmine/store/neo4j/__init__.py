"""Neo4j, over Bolt."""
