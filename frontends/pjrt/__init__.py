"""A plugin of PJRT: programs of JAX and of other clients of that interface, compiled and run here."""
