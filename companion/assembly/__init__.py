"""An open table: the worker with its past, its backups and its home, put together once.

This room knows every room of the companion but the command line. Buttons and pages are handed in
from outside. Start with `running.py`.
"""
