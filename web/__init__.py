"""The pages of the table, and the two doors that commands come through."""
