"""Forgetting: a match or a name goes from the journal and from every copy of it.

`plan.py` decides what goes, `erasing.py` takes it out of one journal, `forgetting.py` does so
everywhere.
"""
