"""Devices in several operating system processes, on one machine or many, that exchange messages through MPI."""
