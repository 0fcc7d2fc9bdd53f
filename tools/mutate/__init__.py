"""A mutation campaign over the readers: damaged programs are refused tidily, or mean the same on both engines."""
