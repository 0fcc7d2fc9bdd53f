"""`complex-expand-arithmetic`: complex numbers become pairs of real ones.

Does: ops of the `complex` dialect become `arith` and `math` on the parts; a `memref<..xcomplex<f32>>` becomes a
`memref<..x2xf32>`, which is the same memory, and an access to it two accesses next to each other; loops, branches and
calls carry both parts. A `builtin.unrealized_conversion_cast` from the one memref to the other goes away. Functions of
numbers of single precision are computed in double and rounded once, but for `complex.abs` and `complex.sqrt`; these,
and all in double precision, are within 4 units in the last place of the larger part, except for `complex.pow` and
`complex.atan2`, whose formulas cancel (`docs/accuracy.md` has the figures). Infinities and NaN are as in Annex G of the
C standard, but the product, which is the textbook formula. `complex_functions` has the formulas and their sources.

Needs: level 5, before the arena is laid out, with static shapes. Leaves: no complex type and no op of `complex`; the
`math` ops of transcendental functions are left to `math-expand-elementary`. Fast-math flags stay on sums.

    func.func @k(%x: memref<8xcomplex<f32>>, %out: memref<8xf32>) {
      affine.for %i = 0 to 8 {
        %z = affine.load %x[%i] : memref<8xcomplex<f32>>
        %w = complex.mul %z, %z : complex<f32>
        %r = complex.re %w : complex<f32>
        affine.store %r, %out[%i] : memref<8xf32>

becomes

    func.func @k(%x: memref<8x2xf32>, %out: memref<8xf32>) {
      affine.for %i = 0 to 8 {
        %re = affine.load %x[%i, 0] : memref<8x2xf32>
        %im = affine.load %x[%i, 1] : memref<8x2xf32>
        %0 = arith.mulf %re, %re : f32
        %1 = arith.mulf %im, %im : f32
        %r = arith.subf %0, %1 : f32
        affine.store %r, %out[%i] : memref<8xf32>

MLIR's `convert-complex-to-standard` does the arithmetic, `convert-complex-to-llvm` the memory; here both happen while
loops are still affine, so that everything below knows real numbers only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from typing_extensions import TypeIs
from xdsl.context import Context
from xdsl.dialects import arith, complex
from xdsl.dialects.builtin import (
    ArrayAttr,
    ComplexType,
    Float32Type,
    Float64Type,
    FloatAttr,
    ModuleOp,
    UnrealizedConversionCastOp,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue

from ...decisions.model import cost_model_of
from ...dialects.shared_attributes import i64_attribute
from ...errors import UnsupportedError
from ...ir.conversions import ConversionPass, Handlers
from .complex_functions import FUNCTIONS, IN_OWN_PRECISION
from .complex_functions.number import Complex
from .element_expansion import Expansion
from .elementary.arithmetic import DOUBLE, SINGLE, Float
from .elementary.ir_arithmetic import IRArithmetic

_COMPARISONS: Mapping[type[Operation], tuple[int, type[Operation]]] = {
    complex.EqualOp: (arith.CMPF_COMPARISON_OPERATIONS.index("oeq"), arith.AndIOp),
    complex.NotEqualOp: (arith.CMPF_COMPARISON_OPERATIONS.index("une"), arith.OrIOp),
}


class _ComplexExpansion(Expansion):
    pass_name = "complex-expand-arithmetic"

    def __init__(self, fused: bool, handlers: Handlers) -> None:
        super().__init__(handlers)
        self.fused = fused

    def parts_of(self, type: Attribute) -> Sequence[Attribute] | None:
        return (type.element_type,) * 2 if is_complex(type) else None

    def on_parts(self, op_type: type[Operation], op: Operation) -> list[SSAValue]:
        """The same op on each part."""
        operands = zip(*(self.parts[operand] for operand in op.operands), strict=True)
        return [self.emission.insert(op_type, values, values[0].type, op.properties) for values in operands]

    def function(self, op: Operation) -> Sequence[SSAValue]:
        """A function of `complex_functions`, most of them in double precision."""
        numbers = self._numbers(op)
        single, function = numbers[0].re.arithmetic, FUNCTIONS[type(op)]
        wide = single.is_single and function not in IN_OWN_PRECISION
        if wide:
            numbers = [Complex(z.re.to_double(), z.im.to_double(), True) for z in numbers]
        result = function(*numbers)
        parts = (result,) if isinstance(result, Float) else (result.re, result.im)
        return [(part.to_single(single) if wide else part).handle for part in parts]

    def _numbers(self, op: Operation) -> list[Complex]:
        part = cast("ComplexType[Any]", op.operands[0].type).element_type
        if not isinstance(part, Float32Type | Float64Type):
            raise UnsupportedError(f"{self.pass_name}: no {op.name} with parts of type {part}", op)
        arithmetic = IRArithmetic(self.emission, DOUBLE if isinstance(part, Float64Type) else SINGLE, self.fused)
        parts = [self.parts[operand] for operand in op.operands]
        return [Complex(Float(arithmetic, re), Float(arithmetic, im), False) for re, im in parts]

    def compare(self, op: Operation) -> Sequence[SSAValue]:
        predicate, combination = _COMPARISONS[type(op)]
        properties = {"predicate": i64_attribute(predicate)}
        pairs = zip(*(self.parts[operand] for operand in op.operands), strict=True)
        outcomes = [self.emission.insert(arith.CmpfOp, pair, i1, properties) for pair in pairs]
        return (self.emission.insert(combination, outcomes, i1),)

    def number(self, op: complex.ConstantOp) -> Sequence[SSAValue]:
        values = cast("ArrayAttr[FloatAttr[Any]]", op.value).data
        return [self.emission.number(v.value.data, v.type) for v in values]

    def create(self, op: complex.CreateOp) -> Sequence[SSAValue]:
        return op.operands

    def real(self, op: complex.ReOp) -> Sequence[SSAValue]:
        return (self.parts[op.complex][0],)

    def imaginary(self, op: complex.ImOp) -> Sequence[SSAValue]:
        return (self.parts[op.complex][1],)

    def conjugate(self, op: complex.ConjOp) -> Sequence[SSAValue]:
        re, im = self.parts[op.complex]
        return re, self.emission.insert(arith.NegfOp, (im,), im.type)

    def cast(self, op: UnrealizedConversionCastOp) -> Sequence[SSAValue] | None:
        """Memory of complex numbers seen as their parts is what it has become."""
        same = len(op.operands) == 1 and op.operands[0].type == op.results[0].type
        return tuple(op.operands) if same else None


def is_complex(type: Attribute) -> TypeIs[ComplexType[Any]]:
    """`isinstance`, with a type parameter."""
    return isinstance(type, ComplexType)


def _on_parts(op_type: type[Operation]) -> Callable[[_ComplexExpansion, Operation], Sequence[SSAValue]]:
    return lambda expansion, op: expansion.on_parts(op_type, op)


@dataclass(frozen=True)
class ComplexExpandArithmeticPass(ConversionPass):
    """See the module docstring. `fma`: whether the target has fused multiply-add instructions; by default that of
    the cost model.
    """

    name = "complex-expand-arithmetic"

    HANDLERS: ClassVar[Handlers] = {
        UnrealizedConversionCastOp: _ComplexExpansion.cast,
        arith.SelectOp: Expansion.select,
        complex.AddOp: _on_parts(arith.AddfOp),
        complex.ConjOp: _ComplexExpansion.conjugate,
        complex.ConstantOp: _ComplexExpansion.number,
        complex.CreateOp: _ComplexExpansion.create,
        complex.ImOp: _ComplexExpansion.imaginary,
        complex.NegOp: _on_parts(arith.NegfOp),
        complex.ReOp: _ComplexExpansion.real,
        complex.SubOp: _on_parts(arith.SubfOp),
        **dict.fromkeys(_COMPARISONS, _ComplexExpansion.compare),
        **dict.fromkeys(FUNCTIONS, _ComplexExpansion.function),
    }
    ALWAYS_APPLY = False

    fma: bool | None = None

    def rewrite(self, ctx: Context, op: ModuleOp) -> None:
        fused = cost_model_of(ctx).target.fma if self.fma is None else self.fma
        _ComplexExpansion(fused, self.handlers()).run(op)
