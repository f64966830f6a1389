"""Where networks live: two real databases behind one small protocol."""
