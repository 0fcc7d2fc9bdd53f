"""Parts of `linalg-block-row-chains`: what a kernel touches per row (`parts`), which calls form a chain (`windows`)."""
