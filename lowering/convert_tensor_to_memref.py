"""`convert-tensor-to-memref`: every tensor gets a buffer.

Needs level 3: kernels (attribute `xrt.kernel`) and entry functions (`xrt.entry`) that hold calls of kernels, views,
constants and structured control flow. Leaves level 4: no tensors; kernels are `(inputs..., outputs...) -> ()`; an
entry function is `(inputs..., outputs...) -> ()` with the counts in `xrt.num_inputs` and `xrt.num_outputs`; temporaries
are `memref.alloc`; constants are `memref.global`.

    %e = tensor.empty() : tensor<8xf32>
    %y = func.call @map_0(%x, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %y
to
    func.call @map_0(%x, %out) : (memref<8xf32>, memref<8xf32>) -> ()
    return

With the option `donate`, arguments that say so (`tf.aliasing_output`, `jax.buffer_donor`) may hold results; the entry's
`xrt.donated = array<i64: argument, result, ...>` says which do (`tensor_to_memref/donation.py`).

Destination-passing bufferization as in MLIR's one-shot bufferization; because kernels have explicit destinations,
only the program tier needs an analysis (`tensor_to_memref/program.py`).

Not a pattern pass: which value gets which buffer is decided for a whole function.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ..decisions.model import cost_model_of
from ..dialects.xrt_names import ENTRY, KERNEL, LAYER
from ..errors import InvalidProgramError
from .tensor_to_memref.donation import merge_parameters
from .tensor_to_memref.kernels import bufferize_kernel
from .tensor_to_memref.program import ProgramBufferizer


@dataclass(frozen=True)
class ConvertTensorToMemrefPass(ModulePass):
    """See the module's docstring."""

    name = "convert-tensor-to-memref"

    donate: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        program = ProgramBufferizer(op, cost_model_of(ctx), self.donate)
        functions = [f for f in op.body.block.ops if isinstance(f, func.FuncOp) and f.body.blocks]
        for function in functions:
            if LAYER in function.attributes:
                name = function.sym_name.data
                raise InvalidProgramError(f"'@{name}' is a layer: 'func-inline-layers' has to run first", function)
            if ENTRY in function.attributes and KERNEL not in function.attributes:
                program.run(function)
        for function in functions:
            if KERNEL in function.attributes:
                bufferize_kernel(function)
        merge_parameters(op)
        if program.globals:
            op.body.block.insert_ops_before(list(program.globals.values()), cast(Operation, op.body.block.first_op))
