"""Random numbers."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloat
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.traits import Pure

from .attributes import RngAlgorithm, RngAlgorithmAttr, RngDistribution, RngDistributionAttr
from .constant import constant_integers
from .element_types import DimensionTensor, RandomBitsTensor, RandomTensor, ScalarRandomTensor, StateTensor
from .shapes import compatible_shapes, compatible_types, element_type_of, shape_of, show, show_shape, violation
from .syntax import Enum, FunctionalTypes

Value = SSAValue | Operation


@irdl_op_definition
class RngOp(FunctionalTypes):
    """Random numbers: UNIFORM in [a, b), or NORMAL with mean a and standard deviation b. Not pure: calls differ.

    `a`, `b`: rank 0; i1, integer or float elements, float only for NORMAL. `shape`: rank 1, the shape of the result.
    `result`: the same elements. Specification: `rng`.
    """

    name = "stablehlo.rng"

    a = operand_def(ScalarRandomTensor)
    b = operand_def(ScalarRandomTensor)
    shape = operand_def(DimensionTensor)
    result = result_def(RandomTensor)
    rng_distribution = prop_def(RngDistributionAttr)

    FIELDS: ClassVar = (Enum("distribution", "rng_distribution", RngDistributionAttr),)

    def __init__(
        self,
        a: Value,
        b: Value,
        shape: Value,
        rng_distribution: RngDistribution,
        result_type: Attribute,
    ):
        super().__init__(
            operands=[a, b, shape],
            result_types=[result_type],
            properties={"rng_distribution": RngDistributionAttr(rng_distribution)},
        )

    def verify_(self) -> None:
        element = element_type_of(self.a)
        if element != element_type_of(self.b) or element != element_type_of(self.result):
            violation(
                self,
                "C1",
                f"expected one element type, got {show((self.a.type, self.b.type))} -> {self.result.type}",
            )
        if self.rng_distribution.data == RngDistribution.NORMAL and not isinstance(element, AnyFloat):
            violation(self, "C2", f"a normal distribution of {element}")
        (rank,) = shape_of(self.shape)
        result = shape_of(self.result)
        if rank != DYNAMIC_INDEX and rank != len(result):
            violation(self, "C3", f"shape has {rank} entries, the result is {self.result.type}")
        shape = constant_integers(self.shape)
        if shape is not None and not compatible_shapes(shape, result):
            violation(self, "C3", f"expected result shape {show_shape(shape)}, got {self.result.type}")


@irdl_op_definition
class RngBitGeneratorOp(FunctionalTypes):
    """Random bits and the next state of a counter-based generator: THREE_FRY, PHILOX or DEFAULT.

    `initial_state`, `output_state`: two 64-bit numbers, two or three for PHILOX. `output`: any shape; integer or float
    elements, all of whose bits are random. Specification: `rng_bit_generator`.
    """

    name = "stablehlo.rng_bit_generator"

    initial_state = operand_def(StateTensor)
    output_state = result_def(StateTensor)
    output = result_def(RandomBitsTensor)
    rng_algorithm = prop_def(RngAlgorithmAttr)

    traits = traits_def(Pure())

    FIELDS: ClassVar = (Enum("algorithm", "rng_algorithm", RngAlgorithmAttr),)

    def __init__(self, initial_state: Value, rng_algorithm: RngAlgorithm, output_type: Attribute):
        initial_state = SSAValue.get(initial_state)
        super().__init__(
            operands=[initial_state],
            result_types=[initial_state.type, output_type],
            properties={"rng_algorithm": RngAlgorithmAttr(rng_algorithm)},
        )

    def verify_(self) -> None:
        if not compatible_types(self.initial_state.type, self.output_state.type):
            violation(
                self,
                "C1",
                f"expected output_state of type {self.initial_state.type}, got {self.output_state.type}",
            )
        (size,) = shape_of(self.initial_state)
        expected = {RngAlgorithm.THREE_FRY: (2,), RngAlgorithm.PHILOX: (2, 3)}
        if size not in expected.get(self.rng_algorithm.data, (size,)):
            violation(
                self,
                "C2",
                f"a state of type {self.initial_state.type} for {self.rng_algorithm.data}",
            )
