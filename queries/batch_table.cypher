// Make room for the journal of runs, where the database wants tables.
// A query without a statement is not sent.
