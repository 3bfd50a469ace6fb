"""A past race once more: its photo finish, and what other rules would have made of it.

The referee's own functions judge again; nothing is written. Start with `cases.py`.
"""
