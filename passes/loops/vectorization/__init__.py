"""What `loops-vectorize` has to know of a loop, and how it writes vectors."""
