// The type of a property among all nodes of a kind, where properties are known from a sample.
// A query without a statement is not sent.
