"""The ghost table: an oracle that plays whole matches."""
