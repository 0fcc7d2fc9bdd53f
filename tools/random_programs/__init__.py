"""The parts of `program_generator`: what is known about values, and the ops by family."""
