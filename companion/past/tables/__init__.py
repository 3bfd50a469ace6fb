"""The past as tables: the read model, a second SQLite file that follows the journal.

`match_rows.py` declares the tables and fills them from the facts of a match; `past_file.py` is the
file, and `follower.py` the thread that keeps it up to date. Start with `read_model.py`.
"""
