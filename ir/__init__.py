"""What passes and lowerings share when they read or write IR, whatever the level."""
