"""What `xla-opt` is made of beside xDSL's driver: command line, printing, timing, diagnostics, reproducers, lists."""
