// Make room for runs, where the database wants tables.
// A query without a statement is not sent.
