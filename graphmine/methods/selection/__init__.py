"""Parameters chosen from the data: the number of clusters, and the weight of links."""
