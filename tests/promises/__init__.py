"""The promises that README.md makes, each with a test that can fail."""
