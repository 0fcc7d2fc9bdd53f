"""Target machines: lent to one user at a time, used again, and not after an exception."""

from __future__ import annotations

import pytest
from xdsl_xla.runtime.target_machines import module_target, target_machine


def test_a_machine_serves_one_user_at_a_time() -> None:
    with target_machine(2) as first, target_machine(2) as second, target_machine(0) as other:
        assert len({id(first), id(second), id(other)}) == 3
    with target_machine(2) as third, target_machine(2) as fourth:
        assert {id(third), id(fourth)} == {id(first), id(second)}


def test_a_machine_is_not_used_again_after_an_exception() -> None:
    with pytest.raises(ZeroDivisionError), target_machine(1) as broken:
        raise ZeroDivisionError
    with target_machine(1) as machine:
        assert machine is not broken


def test_the_target_of_modules_is_that_of_any_machine() -> None:
    with target_machine(2) as machine:
        assert module_target() == (machine.triple, str(machine.target_data))
