"""A table's side of a hall: its membership, its line, and what it sends; start with `link.py`."""
