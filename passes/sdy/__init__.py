"""Passes on programs for several devices that say, or are to say, how their tensors are split."""
