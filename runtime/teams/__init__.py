"""Threads for the parallel loops of generated code, where the system has futexes: `offer.py` says where they are."""
