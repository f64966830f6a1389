// New nodes: the columns of the rows are, in order, those named.
COPY @kind(@columns) FROM $rows
