"""Parts of `convert-tensor-to-memref`: kernels (op by op) and the program that calls them (liveness)."""
