"""What presses mean: one pure reading of all the evidence of a round.

`reading.read` is the place to start. It knows presses, records, house rules and durations, and
nothing of commands, events or the way the evidence came in; so it cannot matter in which order
things became known. `settle`, one room up, writes down what a new reading changes.
"""
