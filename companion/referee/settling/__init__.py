"""What a new reading of the evidence changes: rulings, debts and questions.

It compares the reading with the table and adds the difference as events. Start with `settle.py`.
"""
