"""The rules, one situation at a table at a time."""
