"""Tokens, transfers to and from other devices and the host, asynchronous operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    StringAttr,
    TensorType,
    i1,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from .attributes import ChannelHandleAttr, FutureType, TokenType
from .element_types import Future, PerAxisTensor, Tensor, TensorOrToken, Token
from .property_types import ArrayProperty, BoolProperty, I64ElementsProperty
from .regions import verify_signature
from .replica_groups import verify_pairs
from .shapes import compatible_type_lists, shape_of, show, violation
from .syntax import FormattedOp, ResultType, bool_attr

Value = SSAValue | Operation


@irdl_op_definition
class CreateTokenOp(ResultType):
    """A token that waits for nothing. Deprecated: `after_all` without operands.

    `output`: a token. Not in the specification; upstream's definition of the op (StablehloOps.td).
    """

    name = "stablehlo.create_token"

    output = result_def(Token)

    traits = traits_def(Pure())

    def __init__(self) -> None:
        super().__init__(result_types=[TokenType()])


@irdl_op_definition
class AfterAllOp(FormattedOp):
    """A token that waits for all its operands.

    `inputs`: any number of tokens. `result`: a token. Specification: `after_all`.
    """

    name = "stablehlo.after_all"

    inputs = var_operand_def(Token)
    result = result_def(Token)

    traits = traits_def(Pure())

    def __init__(self, *inputs: Value):
        super().__init__(operands=[inputs], result_types=[TokenType()])

    @classmethod
    def parse_types(cls, parser: Parser, arity: int) -> tuple[Sequence[Attribute], Sequence[Attribute]]:
        parser.parse_punctuation(":")
        type = parser.parse_type()
        return (type,) * arity, (type,)

    def print_types(self, printer: Printer) -> None:
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


def _verify_received(op: Operation, constraints: tuple[str, str, str]) -> None:
    """Results are tensors and, in the last place, a token."""
    count, tensors, token = constraints
    types = list(op.result_types)
    if not types:
        violation(op, count, "expected at least one result")
    if any(not isinstance(type, TensorType) for type in types[:-1]):
        violation(op, tensors, f"expected tensors before the token, got {show(types)}")
    if not isinstance(types[-1], TokenType):
        violation(op, token, f"expected a token as last result, got {show(types)}")


@irdl_op_definition
class InfeedOp(IRDLOperation):
    """Reads tensors from the infeed queue.

    `token`: orders it after what made it. `result`: any number of tensors and, last, a token. Specification: `infeed`.
    """

    name = "stablehlo.infeed"

    token = operand_def(Token)
    result = var_result_def(TensorOrToken)
    infeed_config = opt_prop_def(StringAttr, default_value=StringAttr(""))
    layout = opt_prop_def(ArrayProperty)

    def __init__(self, token: Value, result_types: Sequence[Attribute], infeed_config: str = ""):
        super().__init__(
            operands=[token],
            result_types=[[*result_types, TokenType()]],
            properties={"infeed_config": StringAttr(infeed_config)},
        )

    def verify_(self) -> None:
        _verify_received(self, ("C1", "C2", "C3"))
        if self.layout is None:
            return
        if len(self.layout.data) != len(self.results) - 1:
            violation(self, "layout", f"expected {len(self.results) - 1} layouts, got {self.layout}")
        for layout, result in zip(self.layout.data, self.results, strict=False):
            dims = cast("ArrayAttr[Attribute]", layout).data if isinstance(layout, ArrayAttr) else (None,)
            order = sorted(dim.value.data if isinstance(dim, IntegerAttr) else -1 for dim in dims)
            if order != list(range(len(shape_of(result)))):
                violation(self, "layout", f"expected an order of the dimensions of {result.type}, got {layout}")


@irdl_op_definition
class OutfeedOp(IRDLOperation):
    """Writes its operands to the outfeed queue.

    `inputs`: any number of tensors; `token`: orders it after what made it. `result`: a token. Specification: `outfeed`.
    """

    name = "stablehlo.outfeed"

    inputs = var_operand_def(PerAxisTensor)
    token = operand_def(Token)
    result = result_def(Token)
    outfeed_config = opt_prop_def(StringAttr, default_value=StringAttr(""))

    def __init__(self, inputs: Sequence[Value], token: Value, outfeed_config: str = ""):
        super().__init__(
            operands=[inputs, token],
            result_types=[TokenType()],
            properties={"outfeed_config": StringAttr(outfeed_config)},
        )


def _verify_transfer(
    op: Operation, pairs: DenseIntOrFPElementsAttr | None, channel: ChannelHandleAttr, host: bool, host_type: int
) -> None:
    """Pairs are as those of `collective_permute`, where there are any. The type of the channel is 1, device to device,
    or the one for the host in the right direction."""
    if pairs is not None and pairs.get_shape()[0]:
        verify_pairs(op, pairs, ("C1", "C2", "C3", "C4"))
    expected = host_type if host else 1
    if channel.type != expected:
        violation(op, "C5", f"expected channel type {expected}, got {channel.type}")


@irdl_op_definition
class SendOp(IRDLOperation):
    """Sends tensors to a channel: to the host if `is_host_transfer`, else to the targets of `source_target_pairs`.

    `inputs`: any number of tensors; `token`: orders it after what made it. `result`: a token. Specification: `send`.
    """

    name = "stablehlo.send"

    inputs = var_operand_def(PerAxisTensor)
    token = operand_def(Token)
    result = result_def(Token)
    channel_handle = prop_def(ChannelHandleAttr)
    is_host_transfer = opt_prop_def(BoolProperty, default_value=IntegerAttr(0, i1))
    source_target_pairs = opt_prop_def(I64ElementsProperty)

    def __init__(
        self,
        inputs: Sequence[Value],
        token: Value,
        channel_handle: ChannelHandleAttr,
        is_host_transfer: bool = False,
    ):
        super().__init__(
            operands=[inputs, token],
            result_types=[TokenType()],
            properties={
                "channel_handle": channel_handle,
                "is_host_transfer": bool_attr(is_host_transfer),
            },
        )

    def verify_(self) -> None:
        host = bool(self.is_host_transfer.value.data)
        _verify_transfer(self, self.source_target_pairs, self.channel_handle, host, 2)


@irdl_op_definition
class RecvOp(IRDLOperation):
    """Receives tensors from a channel: from the host if `is_host_transfer`, else from the sources of
    `source_target_pairs`.

    `token`: orders it after what made it. `result`: any number of tensors and, last, a token. Specification: `recv`.
    """

    name = "stablehlo.recv"

    token = operand_def(Token)
    result = var_result_def(TensorOrToken)
    channel_handle = prop_def(ChannelHandleAttr)
    is_host_transfer = opt_prop_def(BoolProperty, default_value=IntegerAttr(0, i1))
    source_target_pairs = opt_prop_def(I64ElementsProperty)

    def __init__(
        self,
        token: Value,
        result_types: Sequence[Attribute],
        channel_handle: ChannelHandleAttr,
        is_host_transfer: bool = False,
    ):
        super().__init__(
            operands=[token],
            result_types=[[*result_types, TokenType()]],
            properties={
                "channel_handle": channel_handle,
                "is_host_transfer": bool_attr(is_host_transfer),
            },
        )

    def verify_(self) -> None:
        host = bool(self.is_host_transfer.value.data)
        _verify_transfer(self, self.source_target_pairs, self.channel_handle, host, 3)
        _verify_received(self, ("results", "results", "results"))


@irdl_op_definition
class AsyncStartOp(IRDLOperation):
    """Starts `body`; `async_done` waits for its results. Upstream takes one collective or slice only, passes make more.

    `operands_`: any number of tensors, which `body` takes. `result`: a future of what it returns. Not in the
    specification; upstream's definition of the op (StablehloOps.td).
    """

    name = "stablehlo.async_start"

    operands_ = var_operand_def(Tensor)
    result = result_def(Future)
    body = region_def()

    def __init__(self, operands: Sequence[Value], body: Region, types: Sequence[Attribute]):
        super().__init__(operands=[operands], result_types=[FutureType(ArrayAttr(types))], regions=[body])

    def verify_(self) -> None:
        future = self.result.type
        assert isinstance(future, FutureType)
        inputs, outputs = list(self.operand_types), list(future.types.data)
        verify_signature(self, "body", self.body, "body", inputs, outputs)


@irdl_op_definition
class AsyncDoneOp(IRDLOperation):
    """Waits for the results of an `async_start`.

    `operand`: a future. `result`: the tensors it is of. Not in the specification; upstream's definition of the op
    (StablehloOps.td).
    """

    name = "stablehlo.async_done"

    operand = operand_def(Future)
    result = var_result_def(Tensor)

    def __init__(self, operand: Value):
        operand = SSAValue.get(operand)
        assert isinstance(operand.type, FutureType)
        super().__init__(operands=[operand], result_types=[operand.type.types.data])

    def verify_(self) -> None:
        future = self.operand.type
        assert isinstance(future, FutureType)
        if not compatible_type_lists(future.types.data, self.result_types):
            violation(self, "results", f"expected {show(future.types.data)}, got {show(self.result_types)}")
