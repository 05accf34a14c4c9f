"""Rows in, rows out: batches, retries and caching around the library."""
