"""Every decision that weighs one cost against another, with its reason. Numbers in, choice out; no IR here."""
