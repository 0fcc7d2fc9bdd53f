"""Reading HLO text: from the tree of its syntax to StableHLO."""
