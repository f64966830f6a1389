// Make room for what runs were once recorded without, where the database wants columns.
// A query without a statement is not sent.
