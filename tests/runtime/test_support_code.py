"""Machine code of the runtime itself."""

from __future__ import annotations

import threading

from xdsl_xla.runtime.support_code import support_code


def test_all_threads_get_the_same_code() -> None:
    """Whose addresses stay valid: several devices may ask for it first, at once."""
    text = "define i64 @only_in_this_test() {\n  ret i64 7\n}\n"
    barrier, found = threading.Barrier(8), list[int]()

    def ask() -> None:
        barrier.wait()
        found.append(support_code(text, ("only_in_this_test",)).address("only_in_this_test"))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 and len(set(found)) == 1
