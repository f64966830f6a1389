"""An experiment that was done again, beside what its paper says: as tables, as a picture, as a document."""
