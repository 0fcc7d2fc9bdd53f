"""What passes share: patterns, and the drivers that apply them."""
