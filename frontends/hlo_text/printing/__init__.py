"""Printing StableHLO as HLO text."""
