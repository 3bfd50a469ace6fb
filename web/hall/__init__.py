"""The hall's pages and doors: the desk, sign-up, the hall screen, and how tables join.

It stands above everything else of the web, which it uses. Start with `permissions.py` for who may,
`doors.py` for the addresses.
"""
