// The type of a property among all relationships of a type, where properties are known from a sample.
// A query without a statement is not sent.
