"""Small things that every room may use: the clock, the log file, sentences about mistakes.

It knows only the referee's sentences and presses. There is no order of reading; each file stands
alone.
"""
