"""The `xrt` dialect: what generated code asks of the runtime.

Nine ops, all gone after `convert-to-llvm`. `xrt.parallel` runs an outlined loop body on the
runtime's threads, `xrt.thread_id` tells such a body which thread it runs on. `xrt.call_target` calls
a function that is registered with the runtime by name, or lets the runtime do what an op on the
surroundings of the program says; `xrt.has_failed` tells whether one of these calls has failed. `xrt.prefetch`
is that of upstream's `memref`; `xrt.part` is a part of a buffer as a buffer. `xrt.safepoint` is a place where a run may
be stopped; `xrt.dot` adds products of neighbours, as instructions of some CPUs do; `xrt.tile` computes a register tile
of a product, by a function that all programs share. They are read in both forms and printed in generic form: `mlir-opt
--allow-unregistered-dialect` takes it.

```mlir
func.func private @body(%x: memref<64xf32>, %lo: index, %hi: index, %thread: index)
xrt.parallel @body(%x) range 1024 : memref<64xf32>
xrt.call_target "solve"(%x : memref<64xf32>) outs(%y : memref<64xf32>) {...}
%failed = xrt.has_failed : i1
xrt.prefetch %x[%i] lines 8 write : memref<64xf32>
%rows = xrt.part %x[%start] : memref<64x16xf32> -> memref<8x16xf32>
xrt.safepoint 65536
%sums = xrt.dot "vdpbf16ps" %a, %b, %before : vector<32xbf16>, vector<16xf32>
xrt.tile %a[%i], %b[%j], %out[%k] {rows = 6, lanes = 16, ...} : memref<4096xf32>, memref<65536xf32>, memref<4096xf32>
```
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FlatSymbolRefAttrConstr,
    Float32Type,
    Float64Type,
    FunctionType,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    VectorType,
    i1,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Dialect, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure, SymbolUserOpInterface
from xdsl.utils.exceptions import VerifyException

from ..decisions.dot_products import DOT_PRODUCTS
from .registration import printed_generically
from .routines import array_number, count_of_copied
from .symbol_lookup import lookup_symbol
from .tile_functions import TileFunction, tile_function
from .xrt_attributes import ATTRIBUTES
from .xrt_names import BATCH, PARAMETERS, REDUCED, ROUTINE, SPACES

DIRECT = "direct"
"""The option of a call that generated code makes to the C function itself, without Python in between."""

COMPUTATIONS = "computations"
"""The option with the functions that the option `called_computations` names, as text."""


_NUMBERS = DenseArrayBase.constr(i64)


class ParallelOpSymbolUses(SymbolUserOpInterface):
    """The callee is a function `(captures..., lo: index, hi: index, thread: index) -> ()`."""

    def verify(self, op: Operation) -> None:
        assert isinstance(op, ParallelOp)
        callee = lookup_symbol(op, op.callee)
        if not isinstance(callee, FuncOp):
            raise VerifyException(f"'{op.callee}' does not reference a function")
        expected = (*op.captures.types, *(IndexType(),) * 3)
        inputs = callee.function_type.inputs.data
        if inputs != expected or callee.function_type.outputs.data:
            wanted = ", ".join(str(type) for type in expected)
            raise VerifyException(f"'{op.callee}' has type {callee.function_type}, expected ({wanted}) -> ()")


@irdl_op_definition
class ParallelOp(IRDLOperation):
    """Runs `callee(captures..., lo, hi, thread)` for ranges that partition `[0, trip_count)`.

    Ranges may run at the same time on different threads, in any order; an empty range may be run
    too. `thread` is the number of the executing thread, at least 0 and less than the runtime's
    thread count. The op returns after all ranges have run. Captures are scalars and memrefs; a
    memref that a range writes does not overlap other captures. `long`: ranges may take so long that the thread that
    begins the loop must look meanwhile whether the run is to stop.
    """

    name = "xrt.parallel"

    captures = var_operand_def()
    callee = prop_def(FlatSymbolRefAttrConstr)
    trip_count = prop_def(IntegerAttr.constr(IndexType()))
    long = opt_prop_def(UnitAttr)

    irdl_options = (ParsePropInAttrDict(),)

    assembly_format = "$callee `(` $captures `)` `range` $trip_count (`long` $long^)? attr-dict (`:` type($captures)^)?"

    traits = traits_def(ParallelOpSymbolUses())

    def __init__(
        self,
        callee: str | SymbolRefAttr,
        captures: Sequence[SSAValue | Operation],
        trip_count: int,
    ):
        if isinstance(callee, str):
            callee = SymbolRefAttr(callee)
        super().__init__(
            operands=[captures],
            properties={
                "callee": callee,
                "trip_count": IntegerAttr.from_index_int_value(trip_count),
            },
        )

    def verify_(self) -> None:
        if self.trip_count.value.data < 0:
            raise VerifyException(f"trip count must not be negative, got {self.trip_count.value.data}")


@irdl_op_definition
class ThreadIdOp(IRDLOperation):
    """The number of the executing thread inside a parallel loop, 0 elsewhere.

    `loops-outline-parallel` replaces it by the `thread` argument of the outlined body; pure, since
    one execution of a body stays on one thread.
    """

    name = "xrt.thread_id"

    thread = result_def(IndexType())

    assembly_format = "attr-dict `:` type($thread)"

    traits = traits_def(Pure())

    def __init__(self):
        super().__init__(result_types=[IndexType()])


def _is_tensor(type: Attribute) -> bool:
    return isinstance(type, TensorType)


@irdl_op_definition
class CallTargetOp(IRDLOperation):
    """Calls the function registered as `target`, which reads `inputs` and overwrites `outputs`.

    A target may also be the name of an op that acts on the surroundings of the program (`stablehlo.infeed`,
    `stablehlo.all_gather`, ...). On tensors each output is the destination of one result; on memrefs there are no
    results. Outputs do not overlap inputs or each other. `signature` is the type of the call in StableHLO, whose
    element types tell signed integers from unsigned ones, with tuples whose elements are the inputs and outputs, and
    tokens, which are neither; `options` are its attributes. Calls happen in the order of the program. What one has
    raised ends the program at its end; the calls after it do nothing.

    `callee` is a function of the module that an exchange between devices calls (`xrt.reduced`). Behind the addresses of
    the inputs it gets that of the entry made of it, `(inputs, outputs, arena, context)`, and the context.
    """

    name = "xrt.call_target"

    inputs = var_operand_def()
    outputs = var_operand_def()
    target = prop_def(StringAttr)
    signature = prop_def(FunctionType)
    options = prop_def(DictionaryAttr)
    callee = opt_prop_def(SymbolRefAttr)
    updated = var_result_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())

    assembly_format = (
        "$target `(` ($inputs^ `:` type($inputs))? `)` `outs` `(` ($outputs^ `:` type($outputs))? `)` attr-dict "
        "(`->` type($updated)^)?"
    )

    def __init__(
        self,
        target: str,
        inputs: Sequence[SSAValue | Operation],
        outputs: Sequence[SSAValue | Operation],
        signature: FunctionType,
        options: DictionaryAttr | None = None,
    ):
        types: list[Attribute] = [SSAValue.get(output).type for output in outputs]
        super().__init__(
            operands=[inputs, outputs],
            result_types=[list(filter(_is_tensor, types))],
            properties={
                "target": StringAttr(target),
                "signature": signature,
                "options": options or DictionaryAttr({}),
            },
        )

    def verify_(self) -> None:
        if list(self.result_types) != list(filter(_is_tensor, self.outputs.types)):
            raise VerifyException("every destination that is a tensor has a result of its type")
        from .stablehlo.tuples import flat

        types = self.signature
        if (len(flat(types.inputs)), len(flat(types.outputs))) != (len(self.inputs), len(self.outputs)):
            raise VerifyException(f"operands do not correspond to the signature {types}")
        if self.target.data.startswith(ROUTINE):
            self._verify_routine()
        if (self.callee is not None) != (self.target.data == REDUCED):
            raise VerifyException(f"a function is called by '{REDUCED}' alone, and by that always")
        if self.callee is not None and not isinstance(lookup_symbol(self, self.callee), FuncOp):
            raise VerifyException(f"there is no function {self.callee}")

    def _verify_routine(self) -> None:
        """Generated code copies inputs to the first outputs and passes addresses in outputs and in other inputs."""
        for name in (PARAMETERS, BATCH, SPACES):
            declared, value = ATTRIBUTES[name].form, self.options.data.get(name)
            if value is None or not declared.fits(value):
                raise VerifyException(f"option '{name}' of a routine is {declared.text}, got {value}")
        types = list(self.outputs.types)
        parameters = cast("ArrayAttr[Attribute]", self.options.data[PARAMETERS]).data
        copied = count_of_copied(parameters, len(types), len(self.inputs))
        if list(self.inputs.types)[:copied] != types[:copied]:
            raise VerifyException("the first outputs of a routine have the types of the inputs that are copied")
        batch, spaces = (cast(IntegerAttr, self.options.data[name]).value.data for name in (BATCH, SPACES))
        if spaces > len(types):
            raise VerifyException(f"option '{SPACES}' is {spaces}, of {len(types)} outputs")
        for type in (*types[: len(types) - spaces], *list(self.inputs.types)[copied:]):
            if prod(cast("TensorType[Attribute] | MemRefType[Attribute]", type).get_shape()) % batch:
                raise VerifyException(f"an array of type {type} does not hold {batch} matrices")
        for number in filter(None, map(array_number, parameters)):
            if number >= len(types) + len(self.inputs) - copied:
                raise VerifyException(
                    f"option '{PARAMETERS}' names array {number}, of {len(types)} outputs and {len(self.inputs)} inputs"
                )


@irdl_op_definition
class HasFailedOp(IRDLOperation):
    """Whether a call of a target has failed since the program began.

    The condition of a loop with such calls asks for it: calls that do nothing might never end the loop. Not pure:
    it must stay behind the calls before it.
    """

    name = "xrt.has_failed"

    failed = result_def(i1)

    assembly_format = "attr-dict `:` type($failed)"

    def __init__(self):
        super().__init__(result_types=[i1])


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """Brings cache lines into the first-level cache: the one with the element of `buffer` at `indices`, and those after
    it up to a number of `lines` if that is given, and so of each of `rows` whose elements are `apart`; with the keyword
    `write` for writing. With `element` it is one of as many as a loop has trips: `loops-vectorize` makes one for the
    lines of each vector of it, elsewhere it is nothing.

    Computes nothing and may name any place, in the buffer or not: nothing is read.
    """

    name = "xrt.prefetch"

    buffer = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    lines = opt_prop_def(IntegerAttr.constr(i64))
    rows = opt_prop_def(IntegerAttr.constr(i64))
    apart = opt_prop_def(IntegerAttr.constr(i64))
    write = opt_prop_def(UnitAttr)
    element = opt_prop_def(UnitAttr)

    irdl_options = (ParsePropInAttrDict(),)

    assembly_format = (
        "$buffer `[` $indices `]` (`lines` $lines^)? (`rows` $rows^)? (`apart` $apart^)? (`write` $write^)?"
        " (`element` $element^)? attr-dict `:` type($buffer)"
    )

    def verify_(self) -> None:
        rank = len(cast("MemRefType[Attribute]", self.buffer.type).get_shape())
        if len(self.indices) != rank:
            raise VerifyException(f"expected {rank} indices, got {len(self.indices)}")
        if self.lines is not None and self.lines.value.data < 1:
            raise VerifyException(f"expected at least one line, got {self.lines.value.data}")
        if (self.rows is None) != (self.apart is None):
            raise VerifyException("rows are so many, and so far apart")
        if self.rows is not None and self.rows.value.data < 1:
            raise VerifyException(f"expected at least one row, got {self.rows.value.data}")


@irdl_op_definition
class PartOp(IRDLOperation):
    """The elements of a dense buffer from number `offset` on, as a dense buffer of another shape.

    They lie within `source`. Unlike the result of `memref.subview` that of this op has no layout that says where it
    began: kernels are called with such parts.
    """

    name = "xrt.part"

    source = operand_def(MemRefType)
    offset = operand_def(IndexType())
    part = result_def(MemRefType)

    assembly_format = "$source `[` $offset `]` attr-dict `:` type($source) `->` type($part)"

    traits = traits_def(Pure())

    def verify_(self) -> None:
        source, part = (cast("MemRefType[Attribute]", value.type) for value in (self.source, self.part))
        if source.element_type != part.element_type:
            raise VerifyException("a part has the element type of the buffer")
        if prod(part.get_shape()) > prod(source.get_shape()):
            raise VerifyException("a part has at most as many elements as the buffer")


@irdl_op_definition
class SafepointOp(IRDLOperation):
    """A place where a run may be stopped: by a signal that came meanwhile, or because its time is over.

    `work` is about how many ops have been executed since the last one. After enough of it the runtime is asked, and if
    the run is to stop, the function returns: what it and its callers write is not defined then. Not pure.
    """

    name = "xrt.safepoint"

    work = prop_def(IntegerAttr.constr(i64))

    assembly_format = "$work attr-dict"

    irdl_options = (ParsePropInAttrDict(),)

    def __init__(self, work: int):
        super().__init__(properties={"work": IntegerAttr(work, i64)})

    def verify_(self) -> None:
        if self.work.value.data < 1:
            raise VerifyException(f"work must be positive, got {self.work.value.data}")


@irdl_op_definition
class DotOp(IRDLOperation):
    """`sums[i] = before[i] + a[n * i] * b[n * i] + ... + a[n * i + n - 1] * b[n * i + n - 1]`, by one instruction.

    `instruction` is one of `decisions/dot_products.py`, which says how elements are read. Vectors have the bits of a
    register for which the CPU has it.
    """

    name = "xrt.dot"

    FACTORS: ClassVar = VarConstraint("Factors", AnyAttr())
    SUMS: ClassVar = VarConstraint("Sums", AnyAttr())

    a = operand_def(FACTORS)
    b = operand_def(FACTORS)
    before = operand_def(SUMS)
    instruction = prop_def(StringAttr)
    sums = result_def(SUMS)

    assembly_format = "$instruction $a `,` $b `,` $before attr-dict `:` type($a) `,` type($sums)"

    irdl_options = (ParsePropInAttrDict(),)

    traits = traits_def(Pure())

    def verify_(self) -> None:
        found = DOT_PRODUCTS.get(self.instruction.data)
        if found is None:
            raise VerifyException(f"no dot product '{self.instruction.data}'; there are {', '.join(DOT_PRODUCTS)}")
        types = [value.type for value in (self.a, self.sums)]
        for type, element in zip(types, (found.factors[0].removeprefix("u"), found.sums), strict=True):
            if not isinstance(type, VectorType) or str(cast("Any", type).element_type) != element:
                raise VerifyException(f"'{found.name}' takes vectors of {element}, got {type}")
        factors, sums = (cast("VectorType[Attribute]", type).element_count() for type in types)
        if factors != found.group * sums:
            raise VerifyException(f"'{found.name}' adds {found.group} products to each of {sums} sums")


@irdl_op_definition
class TileOp(IRDLOperation):
    """The sums of products of a tile of `rows` times some vectors of `lanes` elements, which are stored:

        out[k + r * out_row + columns[v] + e] = the sum over all n of
            lhs[i + r * lhs_row + n * lhs_steps] * rhs[j + at[v] + e + n * rhs_steps]

    for every row r, vector v and element e of it. n are the numbers of the trips of loops in each other, which run
    `trips` times and move the factors by `lhs_steps` and `rhs_steps` elements. `chains` are numbers of loops: what the
    loops from there on add up starts from zero, and is added to what those in front have. With `fma` products are not
    rounded. With `ahead`, `lhs[ahead + n * ahead_steps]`, which need not exist, will be read soon.

    The loops are in one function for all programs with such tiles (`tile_functions.py`).
    """

    name = "xrt.tile"

    lhs = operand_def(MemRefType)
    lhs_index = operand_def(IndexType())
    rhs = operand_def(MemRefType)
    rhs_index = operand_def(IndexType())
    out = operand_def(MemRefType)
    out_index = operand_def(IndexType())
    ahead = opt_operand_def(IndexType())
    trips = prop_def(_NUMBERS)
    lhs_steps = prop_def(_NUMBERS)
    rhs_steps = prop_def(_NUMBERS)
    ahead_steps = opt_prop_def(_NUMBERS)
    rows = prop_def(IntegerAttr.constr(i64))
    lhs_row = prop_def(IntegerAttr.constr(i64))
    out_row = prop_def(IntegerAttr.constr(i64))
    columns = prop_def(_NUMBERS)
    at = prop_def(_NUMBERS)
    lanes = prop_def(IntegerAttr.constr(i64))
    chains = prop_def(_NUMBERS)
    fma = opt_prop_def(UnitAttr)

    irdl_options = (ParsePropInAttrDict(),)

    assembly_format = (
        "$lhs `[` $lhs_index `]` `,` $rhs `[` $rhs_index `]` `,` $out `[` $out_index `]` (`ahead` $ahead^)?"
        " attr-dict `:` type($lhs) `,` type($rhs) `,` type($out)"
    )

    def function(self, element_type: Attribute) -> TileFunction:
        """The function that computes it, of elements of this type."""
        return TileFunction(
            str(element_type),
            self.rows.value.data,
            self.lanes.value.data,
            self.columns.get_values(),
            self.at.get_values(),
            len(self.trips),
            self.chains.get_values(),
            self.fma is not None,
            self.ahead is not None,
        )

    @property
    def multiply_adds(self) -> int:
        """How many there are, of elements."""
        return self.rows.value.data * self.lanes.value.data * len(self.columns) * prod(self.trips.get_values())

    def verify_(self) -> None:
        types = [cast("MemRefType[Attribute]", value.type) for value in (self.lhs, self.rhs, self.out)]
        if any(len(type.get_shape()) != 1 for type in types):
            raise VerifyException("buffers have one dimension")
        elements = {type.element_type for type in types}
        if len(elements) > 1 or not isinstance(types[0].element_type, Float32Type | Float64Type):
            raise VerifyException("buffers are of f32 or of f64, all three")
        if (self.ahead is None) != (self.ahead_steps is None):
            raise VerifyException("what is fetched ahead has a place and steps")
        steps = [self.lhs_steps, self.rhs_steps, *([] if self.ahead_steps is None else [self.ahead_steps])]
        if any(len(each) != len(self.trips) for each in steps) or min(self.trips.get_values(), default=0) < 1:
            raise VerifyException("every loop has at least one trip, and a step for each factor")
        function = self.function(types[0].element_type)
        if tile_function(function.name) != function:
            raise VerifyException(f"there is no function '{function.name}'")


XRT = Dialect(
    "xrt",
    printed_generically(
        (ParallelOp, ThreadIdOp, CallTargetOp, HasFailedOp, PrefetchOp, PartOp, SafepointOp, DotOp, TileOp)
    ),
    [],
)
