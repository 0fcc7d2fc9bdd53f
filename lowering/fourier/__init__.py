"""The loops of `linalg-tile-fourier`."""
