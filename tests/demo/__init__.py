"""The small player behind `companion demo`."""
