"""What people write down beforehand: the configuration and the editions, read from TOML.

`toml_reader.py` names every mistake at once, with what was probably meant; each place declares
what it expects. Start with `configuration.py`.
"""
