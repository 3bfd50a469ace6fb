"""The hall: many tables, one evening. Who takes part, the draws, the results, and the standing.

It has a journal of its own and speaks to the tables over a broker. Start with `evening.py` for
what a hall is, `decisions.py` for what the desk can do, `results.py` for what tables send, and
`contract.py` for what goes over the broker.
"""
