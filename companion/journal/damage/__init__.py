"""What can happen to a journal on disk: it is lost, its end is cut off, or a byte has changed.

`file_integrity.py` looks at the file, `verify.py` at every seal; `lost.py` notices a file that is
no longer in its place, and `salvage.py` saves what can still be read. Start with `verify.py`.
"""
