"""What the tests of several rooms share: an evening, a night, a served table, and a clock.

`evening.py` tells the rules' situations, `night.py` opens the whole service on a folder, and
`served.py` starts the program as people do.
"""
