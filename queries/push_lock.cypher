// Keep two runs on a kind from beginning at the same moment, where several transactions can write.
// A query without a statement is not sent.
