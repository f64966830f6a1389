// New relationships: the columns of the rows are the keys of both ends and, in order, those named.
COPY @type(@columns) FROM $rows (from = '@source', to = '@target')
