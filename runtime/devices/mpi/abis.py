"""What binaries of MPI libraries differ in: handles, constants, the layout of a status.

There are three: that of MPICH and its descendants (Intel MPI, MVAPICH, Cray MPICH), that of Open MPI, and the one that
MPI 5.0 has standardised (chapter "Application Binary Interface"). The numbers are those of the header `mpi.h` of each.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Abi:
    """One of them. A handle is its value, or the name of the object whose address it is."""

    name: str
    handle_bytes: int
    comm_world: int | str
    comm_self: int | str
    byte: int | str
    errors_return: int | str
    any_source: int
    any_tag: int
    statuses_ignore: int
    """The pointer that says that nobody wants a status."""
    serialized: int
    """`MPI_THREAD_SERIALIZED`."""
    tag_ub: int
    """The key of the attribute of a communicator that is the largest tag."""
    status_source: int
    """Where `MPI_SOURCE` is in a status, in bytes; `MPI_TAG` comes next."""


STATUS_BYTES = 64
"""At least the size of a status, in each."""

MPICH = Abi("MPICH", 4, 0x44000000, 0x44000001, 0x4C00010D, 0x54000001, -2, -1, 1, 2, 0x64400001, 8)
OPEN_MPI = Abi(
    "Open MPI",
    8,
    "ompi_mpi_comm_world",
    "ompi_mpi_comm_self",
    "ompi_mpi_byte",
    "ompi_mpi_errors_return",
    -1,
    -1,
    0,
    2,
    0,
    0,
)
STANDARD = Abi("MPI 5", 8, 0x101, 0x102, 0x247, 0x143, -1, -2, 0, 2048, 501, 0)

ABIS = (MPICH, OPEN_MPI, STANDARD)


def abi_of(version: str, has_open_mpi_objects: bool, is_standard: bool) -> Abi | None:
    """That of the library that says it is `version` (`MPI_Get_library_version`); None if it is not known."""
    if is_standard:
        return STANDARD
    if has_open_mpi_objects:
        return OPEN_MPI
    names = ("MPICH", "Intel(R) MPI", "MVAPICH", "CRAY MPICH", "ParaStation")
    return MPICH if any(name.lower() in version.lower() for name in names) else None
