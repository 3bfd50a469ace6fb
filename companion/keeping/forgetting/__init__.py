"""Forgetting: a match or a name goes from the journal and from every copy of it.

`plan.py` decides what goes, `rewrite.py` writes a journal without it, `forgetting.py` puts it in
place.
"""
