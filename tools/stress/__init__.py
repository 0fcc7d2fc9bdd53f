"""Sharded programs again and again, while their devices pause at random."""
