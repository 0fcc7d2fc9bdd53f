"""What to say where a library that a command needs cannot be loaded."""

from __future__ import annotations

NO_MEMORY = ("failed to map segment", "cannot allocate memory", "cannot create shared object descriptor")
"""What the loader of libraries says where the process may have no more memory."""


def loading_failure(error: BaseException) -> str | None:
    """What was in the way of an import, in a line; None if `error` is of another kind.

    Packages raise long texts of their own over what the loader has said, which is what counts.
    """
    if isinstance(error, MemoryError):
        return "not enough memory to load what it is made of"
    if not isinstance(error, ImportError | OSError):
        return None
    cause: BaseException = error
    while (inner := cause.__cause__ or cause.__context__) is not None and isinstance(inner, ImportError | OSError):
        cause = inner
    text = " ".join(str(cause).split())
    if any(words in text.lower() for words in NO_MEMORY):
        return f"not enough memory to load a library: {text}"
    if isinstance(error, ImportError) or cause is not error:
        return f"a library cannot be loaded: {text}"
    return None
