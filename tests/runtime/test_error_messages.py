"""Messages stay readable, whatever they quote."""

from __future__ import annotations

import pytest
import xdsl_xla
from xdsl_xla.errors import MESSAGE_LENGTH, InvalidProgramError


def test_a_long_message_loses_its_middle() -> None:
    ids = ", ".join(str(i) for i in range(20_000))
    text = f"""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
      %0 = "stablehlo.collective_broadcast"(%x) <{{replica_groups = dense<[[{ids}, 0]]> : tensor<1x20001xi64>}}>
        : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }}"""
    with pytest.raises(InvalidProgramError) as info:
        xdsl_xla.compile(text)
    message = info.value.message
    assert message.startswith("'stablehlo.collective_broadcast' op: ") and message.endswith("repeat an id")
    assert len(message) <= MESSAGE_LENGTH + 5
