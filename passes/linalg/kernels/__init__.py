"""Parts of `linalg-outline-kernels`: what belongs together (`grouping`) and how it becomes a function (`outlining`)."""
