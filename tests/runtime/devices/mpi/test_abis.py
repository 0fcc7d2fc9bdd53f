"""Which binary interface an MPI library has."""

from __future__ import annotations

import pytest
from xdsl_xla.runtime.devices.mpi.abis import MPICH, OPEN_MPI, STANDARD, Abi, abi_of


@pytest.mark.parametrize(
    ("version", "has_objects", "is_standard", "abi"),
    [
        ("MPICH Version: 5.0.2", False, False, MPICH),
        ("Intel(R) MPI Library 2021.13 for Linux* OS", False, False, MPICH),
        ("MVAPICH Version : 3.0", False, False, MPICH),
        ("Open MPI v5.0.11, package: Open MPI user@localhost", True, False, OPEN_MPI),
        ("MPICH Version: 5.0.2", False, True, STANDARD),
        ("Another MPI 1.0", False, False, None),
    ],
)
def test_the_interface_of_a_library(version: str, has_objects: bool, is_standard: bool, abi: Abi | None) -> None:
    assert abi_of(version, has_objects, is_standard) is abi
