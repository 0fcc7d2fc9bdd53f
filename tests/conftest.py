"""Tests compile what they run: none is served from the compile cache but those that turn it on."""

import os

os.environ["XDSL_XLA_CACHE"] = "0"
