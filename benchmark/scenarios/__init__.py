"""One module for each target: measure(bench) adds rows to the table, or fails if a result is wrong."""
