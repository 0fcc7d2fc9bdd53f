"""The program as a graph: its ops on the levels of tensors, and its kernels from level 3 on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import ConstantLike

from ...dialects.editing import ops_of, walk
from ...dialects.xrt_names import KERNEL

MOST_CHARACTERS = 60

_TRANSPARENT = {"tensor.empty", "tensor.collapse_shape", "tensor.expand_shape"}
"""Ops of the program tier that compute nothing: what reads them reads what they are made of."""


class Node(NamedTuple):
    """An op, or an argument of the function."""

    label: str
    detail: str
    """The type of what it computes."""
    line: int
    """Where it stands; -1 for an argument."""
    kind: str
    """`argument`, `constant`, `call`, or the dialect and name of the op."""
    callee: str
    """The function that it calls, or nothing."""
    graph: int
    """The number of the graph of its body, -1 where there is none."""


class Graph(NamedTuple):
    """The ops of one block."""

    name: str
    nodes: list[Node]
    edges: list[tuple[int, int]]
    """Pairs of a node that computes and one that reads it, each pair once."""


def graphs_of(module: ModuleOp, line_of: Mapping[Operation, int], names: Mapping[SSAValue, str]) -> list[Graph]:
    """The graph of each function that is no kernel, and of the regions in it that are control flow."""
    graphs: list[Graph] = []
    for op in ops_of(module.body.block):
        if isinstance(op, func.FuncOp) and op.body.blocks and KERNEL not in op.attributes:
            _Writer(graphs, line_of, names).block(f"@{op.sym_name.data}", op.body.blocks[0])
    return graphs


class _Writer:
    def __init__(self, graphs: list[Graph], line_of: Mapping[Operation, int], names: Mapping[SSAValue, str]) -> None:
        self.graphs = graphs
        self.line_of = line_of
        self.names = names

    def block(self, name: str, block: Block) -> int:
        """Adds the graph of `block`; its number."""
        number = len(self.graphs)
        nodes: list[Node] = []
        edges: dict[tuple[int, int], None] = {}
        makers: dict[SSAValue, list[int]] = {}
        """The nodes behind a value; several behind one that is put together without computing."""
        self.graphs.append(Graph(name, nodes, []))
        for argument in block.args:
            makers[argument] = [len(nodes)]
            nodes.append(Node(f"%{self.names.get(argument, '?')}", _short(argument.type), -1, "argument", "", -1))
        for op in ops_of(block):
            sources = dict.fromkeys(node for value in _read(op, block) for node in makers.get(value, ()))
            if op.name in _TRANSPARENT:
                makers.update({result: list(sources) for result in op.results})
                continue
            edges.update({(source, len(nodes)): None for source in sources})
            makers.update({result: [len(nodes)] for result in op.results})
            nodes.append(self._node(name, op))
        self.graphs[number] = Graph(name, nodes, list(edges))
        return number

    def _node(self, name: str, op: Operation) -> Node:
        line = self.line_of[op]
        types = ", ".join(dict.fromkeys(_short(result.type) for result in op.results))
        if isinstance(op, func.CallOp):
            return Node(op.callee.string_value(), types, line, "call", op.callee.string_value(), -1)
        body = -1
        if _is_control_flow(op):
            places = [
                self.block(f"{name} / {op.name} (line {line + 1}), region {number}", region.blocks[0])
                for number, region in enumerate(op.regions)
                if region.blocks and region.blocks[0].ops
            ]
            body = min(places, default=-1)
        kind = "constant" if op.has_trait(ConstantLike, value_if_unregistered=False) else op.name
        return Node(op.name.partition(".")[2] or op.name, types, line, kind, "", body)


def _is_control_flow(op: Operation) -> bool:
    return op.name in {
        *("stablehlo.while", "stablehlo.if", "stablehlo.case"),
        *("scf.while", "scf.if", "scf.for", "scf.index_switch"),
    }


def _read(op: Operation, block: Block) -> Iterable[SSAValue]:
    """What `op`, which is in `block`, and the ops in it read of `block`."""
    if not op.regions:
        return op.operands
    inner = (operand for nested in walk(op) for operand in nested.operands)
    return [value for value in inner if _block_of(value) is block]


def _block_of(value: SSAValue) -> Block | None:
    return value.block if isinstance(value, BlockArgument) else value.owner.parent_block()


def _short(type: object) -> str:
    text = str(type)
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}..."
