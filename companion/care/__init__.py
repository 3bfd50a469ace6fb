"""Looking after a table: its machine, why it does not open, and what a helper needs.

It reads the journal, the backups and the settings, and changes none of them. Start with
`doctor.py`.
"""
