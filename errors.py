"""The exceptions a user of xdsl-xla may see.

Everything that is the fault of a program, an argument or a missing capability derives from `XlaError`; the tools print
its message and exit with 1. Anything else that escapes is a defect of this package.
"""


class XlaError(Exception):
    """A user-facing error. `str(error)` is one paragraph that names what is wrong and where."""


class UnsupportedError(XlaError):
    """A valid program that this compiler cannot lower or execute (yet): names op, types and the missing part."""


class ArgumentError(XlaError):
    """A call with wrong arguments: names the argument, what came and what was expected."""
