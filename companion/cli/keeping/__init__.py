"""The commands about what is kept: `backup`, `restore`, `export`, `forget` and `verify`.

They work on a data folder, some of them also beside an open table, and say how far they are.
"""
