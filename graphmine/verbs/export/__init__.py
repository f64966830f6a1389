"""Results for other tools: files, frames and graphs."""
