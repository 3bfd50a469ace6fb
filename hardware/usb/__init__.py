"""USB arcade encoders as buttons, dated by the kernel too. Start with `encoders.py`."""
