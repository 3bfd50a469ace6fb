"""What is measured: a module for each question about cost, answered by its `figures`."""
