// The key of a kind is unique; the constraint also makes nodes quick to find.
CREATE CONSTRAINT IF NOT EXISTS FOR (n:@kind) REQUIRE n.@key IS UNIQUE
