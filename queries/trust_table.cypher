// Make room for how far links are trusted, where the database wants tables.
// A query without a statement is not sent.
