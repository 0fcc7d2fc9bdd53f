"""The search for schedules: kernels that take the time, other schedules of them, and a stopwatch."""
