"""What people write down beforehand: the configuration and the editions, read from TOML.

Every mistake is named at once, with what was probably meant. Start with `configuration.py`.
"""
