"""Checking buttons and lamps: live on a test bench, button by button, and as a report.

It listens beside the table. Start with `selftest.py`.
"""
