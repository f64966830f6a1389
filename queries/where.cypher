// A test on a node's property, filled into the queries that read nodes.
n.@property @operator @value
