"""The referee: the rules of the game as pure functions of what happened at the table."""
