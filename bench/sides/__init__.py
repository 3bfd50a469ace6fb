"""What the measures compare: tables and bare apps as they are served, and who is at them."""
