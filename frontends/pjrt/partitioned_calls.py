"""Calls of `jax.experimental.custom_partitioning` become what their functions say that each device computes.

    %1 = stablehlo.custom_call @CustomSPMDPartitioning(%0) {api_version = 2 : i32, backend_config = "140241"} : ...

becomes, once it is known how `%0` and `%1` are spread,

    %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[...] manual_axes={"x"} (%a: ...) {
      ... what the function of the call computes with the parts of a device

Operands and results that do not fill their parts are padded in front of it, and cut behind it.

Source: openxla/xla, xla/python/custom_partition_callback.cc and xla/service/spmd/spmd_partitioner.cc say when the
functions are called, and with what.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import BytesAttr, ModuleOp, StringAttr, TensorType
from xdsl.dialects.func import ReturnOp as FuncReturnOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from ...dialects.editing import append, erase, insert_before, new_op, replace_uses, walk
from ...dialects.sdy.axis_attributes import ManualAxesAttr
from ...dialects.sdy.regions import ManualComputationOp, ReturnOp
from ...dialects.sdy.sharding_attributes import TensorShardingPerValueAttr
from ...dialects.sdy.shardings import Sharding
from ...dialects.sdy.values import Meshes, meshes_of, set_sharding, sharding_of
from ...dialects.shared_attributes import tensor_type
from ...dialects.stablehlo import CustomCallOp, WhileOp
from ...dialects.stablehlo.shapes import element_type_of, shape_of
from ...errors import UnsupportedError
from ...ir.tensor_builder import TensorBuilder
from ...ir.tensors import Tensor
from ...passes.stablehlo.imported_shardings.meshes import Axes
from ...passes.stablehlo.imported_shardings.text import parse_shardings
from ...reference.arrays import dtype_of
from ...runtime.entry import select_entry
from ...runtime.formats import read_program
from ...runtime.sharding.program import IMPORTED
from ...runtime.sharding.splitting import Splitting
from .executables import PARTITIONED_CALL
from .jax_custom_partitioning import Functions, LocalProgram, Spread
from .propagated_shardings import STEPS, run_steps
from .shardings import sharding_bytes


def with_local_programs(source: bytes | ModuleOp, devices: int) -> ModuleOp:
    """The program without such calls. Raises `PjrtError` where a function of one fails."""
    module = read_program(source, "<jax>") if isinstance(source, bytes) else source
    module = run_steps(module, STEPS[:IMPORTED])
    inferred: dict[int, Sequence[Sharding]] = {}
    while True:
        propagated = module.clone()
        calls = _calls(propagated)
        for number, shardings in inferred.items():
            for result, sharding in zip(calls[number].results, shardings, strict=True):
                set_sharding(result, sharding)
        run_steps(propagated, STEPS[IMPORTED:])
        site = _Site(propagated, devices)
        number = next((n for n, call in enumerate(calls) if n not in inferred and site.infers(call)), None)
        if number is None:
            break
        inferred[number] = site.inferred(calls[number])
    for call in calls:
        site.replace(call)
    return propagated


def _calls(module: ModuleOp) -> list[CustomCallOp]:
    return [op for op in walk(module) if isinstance(op, CustomCallOp) and op.call_target_name.data == PARTITIONED_CALL]


def _functions(call: CustomCallOp) -> Functions:
    configuration = call.properties.get("backend_config")
    data = configuration.data if isinstance(configuration, StringAttr | BytesAttr) else b""
    return Functions(data.encode() if isinstance(data, str) else data)


class _Site:
    """A program whose values have shardings."""

    def __init__(self, module: ModuleOp, devices: int) -> None:
        self.devices = devices
        self.meshes: Meshes = meshes_of(module)

    def infers(self, call: CustomCallOp) -> bool:
        """Whether a function says how the results of a call are spread."""
        return _functions(call).infers

    def inferred(self, call: CustomCallOp) -> list[Sharding]:
        """What that function says."""
        texts = _functions(call).inferred(self._spread(call.operands), self._spread(call.results))
        return self._imported(call, texts, call.results)

    def replace(self, call: CustomCallOp) -> None:
        """Put what each device computes in the place of a call."""
        local = _functions(call).partition(self._spread(call.operands), self._spread(call.results))
        texts, values = (*local.operands, *local.results), (*call.operands, *call.results)
        shardings = self._imported(call, texts, values)
        count = len(call.operands)
        builder = TensorBuilder(call)
        operands = [
            _padded(Tensor(builder, x), sharding) for x, sharding in zip(call.operands, shardings[:count], strict=True)
        ]
        types = [_padded_type(x, sharding) for x, sharding in zip(call.results, shardings[count:], strict=True)]
        computation = new_op(
            ManualComputationOp,
            [x.value for x in operands],
            types,
            {
                "in_shardings": TensorShardingPerValueAttr.of(shardings[:count]),
                "out_shardings": TensorShardingPerValueAttr.of(shardings[count:]),
                "manual_axes": ManualAxesAttr(tuple(name for name, _ in shardings[0].mesh.axes)),
            },
            regions=[Region(_body(local))],
            location=call.location,
        )
        insert_before(computation, call)
        for old, new in zip(call.results, computation.results, strict=True):
            cut = Tensor(builder, new).slice({dim: (0, size) for dim, size in enumerate(shape_of(old))})
            replace_uses(old, cut.value)
        erase(call)

    def _spread(self, values: Sequence[SSAValue]) -> list[Spread]:
        return [self._spread_of(value) for value in values]

    def _spread_of(self, value: SSAValue) -> Spread:
        sharding = self._sharding(value)
        splitting = Splitting(shape_of(value), sharding, self.devices)
        return Spread(tuple(shape_of(value)), dtype_of(element_type_of(value)), sharding_bytes(splitting))

    def _sharding(self, value: SSAValue) -> Sharding | None:
        """That of the value; what a loop carries is spread as its results are."""
        if isinstance(value, BlockArgument) and isinstance(loop := value.block.parent_op(), WhileOp):
            return sharding_of(loop.results[value.index], self.meshes)
        return sharding_of(value, self.meshes)

    def _imported(self, call: Operation, texts: Sequence[str], values: Sequence[SSAValue]) -> list[Sharding]:
        """Shardings of values, all on one mesh. Raises `UnsupportedError` where there is none."""
        found = [sharding for text in texts for sharding in parse_shardings(text)]
        axes = Axes(found, self.devices)
        pairs = zip(found, values, strict=True)
        shardings = [axes.sharding(sharding, len(shape_of(value))) for sharding, value in pairs]
        if any(sharding.mesh != axes.mesh for sharding in shardings):
            shown = ", ".join(texts)
            raise UnsupportedError(f"'{call.name}' op: shardings without a mesh in common: {shown}", call)
        return shardings


def _padded_type(value: SSAValue, sharding: Sharding) -> TensorType[Attribute]:
    """With each dimension a multiple of its parts."""
    shape = shape_of(value)
    counts = [sharding.parts(dim) for dim in range(len(shape))]
    sizes = [-(-size // count) * count for size, count in zip(shape, counts, strict=True)]
    return tensor_type(element_type_of(value), *sizes)


def _padded(x: Tensor, sharding: Sharding) -> Tensor:
    sizes = _padded_type(x.value, sharding).get_shape()
    return x.pad({dim: size - present for dim, (size, present) in enumerate(zip(sizes, x.shape, strict=True))})


def _body(local: LocalProgram) -> Block:
    """The ops of a program of a device, as those of a region."""
    module = run_steps(read_program(local.text.encode(), "<custom_partitioning>"), STEPS[:1])
    function = select_entry(module)
    block = function.body.block
    function.body.detach_block(block)
    last = cast(FuncReturnOp, block.last_op)
    returned = list(last.operands)
    erase(last)
    append(block, new_op(ReturnOp, returned))
    return block
