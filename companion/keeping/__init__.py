"""Keeping what was played: backups, going back to one, and forgetting for good.

It knows the journal, the past and the worker that writes. Start with `backups.py`.
"""
