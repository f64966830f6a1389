"""What passes between a database and the model: load, schema, pull, push, runs."""
