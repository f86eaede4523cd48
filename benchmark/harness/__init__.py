"""What all scenarios need: the programs, a database, the service, load, and a table of results."""
