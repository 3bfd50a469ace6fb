"""The numbered rules, one file a topic: what a command makes happen at the table.

A rule takes a draft and adds events to it, or refuses with a sentence. Start with `turns.py`.
"""
