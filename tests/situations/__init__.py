"""What people really do at a table, told to a whole one: buttons, worker, journal and door."""
