"""Passes on Shardy's dialect."""
