"""What a person reads: pages of tables and sentences, pictures, and the documents of reproductions."""
