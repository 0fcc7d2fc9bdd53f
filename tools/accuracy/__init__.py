"""How accurate elementary functions are: against results of arbitrary precision, as a table in the documentation."""
