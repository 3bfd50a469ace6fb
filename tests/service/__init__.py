"""The service around the rules: the journal, the worker, the files and the command line."""
