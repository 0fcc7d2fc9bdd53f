"""The `linalg_ext` dialect: scans and sorts of lines along one dimension, on tensors or buffers.

Structured ops that `linalg` has not: like those they write into destinations, and a region says what is done with
elements. They stand between `convert-stablehlo-to-linalg` and `linalg-lower-scans` and `linalg-lower-sorts`, which
write the loops that a schedule says. They are printed in generic form, which the tools upstream read, and read in both.
The model is IREE's dialect LinalgExt.

```mlir
%y = linalg_ext.scan %x outs(%e) dimension 1 init 0.0 : f32 {
^bb0(%total: f32, %element: f32):
  %0 = arith.addf %total, %element : f32
  linalg_ext.yield %0 : f32
} : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>

%r = linalg_ext.sort %x outs(%e) dimension 0 {
^bb0(%a: i32, %b: i32):
  %0 = arith.cmpi slt, %a, %b : i32
  linalg_ext.yield %0 : i1
} : (tensor<100xi32>) (tensor<100xi32>) -> tensor<100xi32>
```
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    TensorType,
    UnitAttr,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Dialect, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException

from .registration import printed_generically

Shaped = TensorType[Attribute] | MemRefType[Attribute]


def _shaped(value: SSAValue) -> Shaped:
    type: Attribute = value.type
    if not isinstance(type, TensorType | MemRefType):
        raise VerifyException(f"expected a tensor or a memref, got {type}")
    return cast(Shaped, type)


def _new_results(outputs: Sequence[SSAValue]) -> list[Attribute]:
    """The types of the results of destinations: those that are tensors."""
    types: list[Attribute] = [value.type for value in outputs]
    return [type for type in types if isinstance(type, TensorType)]


def _check_results(op: IRDLOperation, outputs: Sequence[SSAValue]) -> None:
    if [result.type for result in op.results] != _new_results(outputs):
        raise VerifyException("an output that is a tensor has a result of its type")


def _check_region(region: Region, arguments: Sequence[Attribute], result: Attribute) -> None:
    """Whether a region takes and yields scalars of these types."""
    block = region.block
    if [argument.type for argument in block.args] != list(arguments):
        expected = ", ".join(map(str, arguments))
        raise VerifyException(f"the region takes ({expected}), not ({', '.join(str(a.type) for a in block.args)})")
    last = block.last_op
    if not isinstance(last, YieldOp) or [value.type for value in last.values] != [result]:
        raise VerifyException(f"the region ends with a linalg_ext.yield of one {result}")


@irdl_op_definition
class YieldOp(IRDLOperation):
    """What a region computes."""

    name = "linalg_ext.yield"

    values = var_operand_def()

    traits = traits_def(IsTerminator())

    assembly_format = "$values attr-dict `:` type($values)"

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[list(values)])


@irdl_op_definition
class ScanOp(IRDLOperation):
    """Running combinations of all lines of `input` along `dimension`, into `output`.

    With `total` = `init` in front of each line, for every element from the first one on, with `reverse` from the last
    one on: `total = combiner(total, element)`, and this is the element of the output there. An init value of a float
    that is wider than the elements is what totals are carried as; they are rounded where they are stored.

    A combiner that is an addition of f32 or f64 may form the sums in chains: those of a chain start from zero, and the
    sum of all chains before is added to them. On tensors the output is the destination of the result; on memrefs there
    is no result, and it overlaps no input. The region may read from outside what the op does not write.
    """

    name = "linalg_ext.scan"

    input = operand_def()
    output = operand_def()
    dimension = prop_def(IntegerAttr.constr(i64))
    reverse = opt_prop_def(UnitAttr)
    init = prop_def(IntegerAttr.constr() | FloatAttr.constr())
    combiner = region_def("single_block")
    updated = var_result_def()

    assembly_format = (
        "$input `outs` `(` $output `)` `dimension` $dimension (`reverse` $reverse^)? `init` $init $combiner attr-dict "
        "`:` type($input) `,` type($output) (`->` type($updated)^)?"
    )

    def __init__(
        self,
        input: SSAValue,
        output: SSAValue,
        dimension: int,
        init: Attribute,
        combiner: Block,
        *,
        reverse: bool = False,
    ):
        super().__init__(
            operands=[input, output],
            result_types=[_new_results([output])],
            properties={
                "dimension": IntegerAttr(dimension, i64),
                "reverse": UnitAttr() if reverse else None,
                "init": init,
            },
            regions=[Region(combiner)],
        )

    @property
    def dim(self) -> int:
        """The number of `dimension`."""
        return self.dimension.value.data

    @property
    def total_type(self) -> Attribute:
        """The type of what is carried along a line."""
        return cast("IntegerAttr[Any] | FloatAttr", self.init).type

    def verify_(self) -> None:
        source, target = _shaped(self.input), _shaped(self.output)
        _check_results(self, [self.output])
        if source.get_shape() != target.get_shape() or source.element_type != target.element_type:
            raise VerifyException(f"{source} and {target} differ in shape or elements")
        if not 0 <= self.dim < len(source.get_shape()):
            raise VerifyException(f"dimension {self.dim} is not one of {source}")
        element, total = source.element_type, self.total_type
        if element != total and not _is_wider(total, element):
            raise VerifyException(f"totals of {element} are not carried as {total}")
        _check_region(self.combiner, (total, element), total)


def _is_wider(total: Attribute, element: Attribute) -> bool:
    if not isinstance(total, AnyFloat) or not isinstance(element, AnyFloat):
        return False
    return total.bitwidth > element.bitwidth


@irdl_op_definition
class SortOp(IRDLOperation):
    """Lines of all `inputs` along `dimension`, sorted together, stable, into `outputs`.

    `comparator(a0, b0, a1, b1, ...)`, of an element of each operand and another one, says whether the first ones come
    before. Outputs that are shorter than the inputs along the dimension get the first elements of the sorted lines.
    The operands with the numbers `counts` are no inputs: each element of theirs is its place in the line, an integer.

    On tensors the outputs are the destinations of the results; on memrefs there are none, and they overlap no input.
    """

    name = "linalg_ext.sort"

    inputs = var_operand_def()
    outputs = var_operand_def()
    dimension = prop_def(IntegerAttr.constr(i64))
    counts = opt_prop_def(DenseArrayBase.constr(i64))
    comparator = region_def("single_block")
    updated = var_result_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    assembly_format = (
        "$inputs `outs` `(` $outputs `)` `dimension` $dimension (`counts` $counts^)? $comparator attr-dict "
        "`:` `(` type($inputs) `)` `(` type($outputs) `)` (`->` type($updated)^)?"
    )

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        outputs: Sequence[SSAValue],
        dimension: int,
        comparator: Block,
        counts: Sequence[int] = (),
    ):
        super().__init__(
            operands=[inputs, outputs],
            result_types=[_new_results(outputs)],
            properties={
                "dimension": IntegerAttr(dimension, i64),
                "counts": DenseArrayBase.from_list(i64, list(counts)) if counts else None,
            },
            regions=[Region(comparator)],
        )

    @property
    def dim(self) -> int:
        """The number of `dimension`."""
        return self.dimension.value.data

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the inputs."""
        return _shaped(self.inputs[0]).get_shape()

    @property
    def count(self) -> int:
        """How many elements of every sorted line are wanted."""
        return _shaped(self.outputs[0]).get_shape()[self.dim]

    @property
    def operands_or_none(self) -> list[SSAValue | None]:
        """The input of every operand of the sort, None of one that counts."""
        counted = () if self.counts is None else self.counts.get_values()
        given = iter(self.inputs)
        return [None if number in counted else next(given) for number in range(len(self.outputs))]

    def verify_(self) -> None:
        _check_results(self, self.outputs)
        counted = () if self.counts is None else tuple(self.counts.get_values())
        if not self.inputs:
            raise VerifyException("a sort has an input at least")
        if any(not 0 <= number < len(self.outputs) for number in counted) or len(set(counted)) < len(counted):
            raise VerifyException(f"{list(counted)} are no numbers of {len(self.outputs)} outputs")
        if len(self.inputs) + len(counted) != len(self.outputs):
            given, wanted = len(self.inputs) + len(counted), len(self.outputs)
            raise VerifyException(f"{given} operands, of which {len(counted)} count, and {wanted} outputs")
        shape, dim = self.shape, self.dim
        if not 0 <= dim < len(shape):
            raise VerifyException(f"dimension {dim} is not one of {_shaped(self.inputs[0])}")
        count = self.count if len(_shaped(self.outputs[0]).get_shape()) == len(shape) else 0
        wanted = (*shape[:dim], count, *shape[dim + 1 :])
        elements: list[Attribute] = []
        for given, output in zip(self.operands_or_none, self.outputs, strict=True):
            target = _shaped(output)
            element = target.element_type
            if target.get_shape() != wanted or not 0 < count <= shape[dim]:
                raise VerifyException(f"{target} does not hold first elements of lines of {_shaped(self.inputs[0])}")
            if given is None and not isinstance(element, IntegerType):
                raise VerifyException(f"{target} cannot count: it has no integers")
            if given is not None:
                source = _shaped(given)
                if source.get_shape() != shape or source.element_type != element:
                    raise VerifyException(f"{source} is not sorted into {target}")
            elements += [element, element]
        _check_region(self.comparator, elements, i1)


LINALG_EXT = Dialect("linalg_ext", printed_generically([ScanOp, SortOp, YieldOp]), [])
