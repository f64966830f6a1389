// Every table: kinds (NODE) and relationship types (REL).
CALL show_tables() RETURN name, type
