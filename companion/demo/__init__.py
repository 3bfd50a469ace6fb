"""A small player: people with real cards who play whole matches on their own.

`companion demo` lets them play at an open table that can be watched; the bench and the tests
let them play at tables of their own. They see only what the referee tells, and never check it.
This room knows the open table of `assembly` and every room below it. Start with `refereed.py`.
"""
