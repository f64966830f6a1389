// Forget the values of other types that were set aside for a run, where a property can hold them.
// A query without a statement is not sent.
