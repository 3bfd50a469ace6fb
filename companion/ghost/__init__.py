"""The ghost table: a dealer with real cards who plays whole matches and knows the truth of them."""
