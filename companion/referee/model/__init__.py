"""What a table is: cards, editions, house rules, presses, rulings, and the table itself.

Values that never change, and nothing that decides. Start with `table.py`.
"""
