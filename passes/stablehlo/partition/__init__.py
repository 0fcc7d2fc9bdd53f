"""How a program for a mesh of devices becomes the program of one of them: `stablehlo-partition-spmd`.

    devices.py       device numbers as digits; a layout says which digits split a dimension
    routes.py        the cheapest steps from one layout of a tensor to another
    collectives.py   what a step is in StableHLO; the place of a device
    values.py        a tensor in the layouts in which it is there, and in those that are asked for
    partitioner.py   the walk over functions and regions
    site.py          an op while it is partitioned
    factors.py       ops whose loops are divided, and by what
    families.py      which handler partitions which op

An op family is a file that exports a table `{op type: handler}`, listed in `families.py`. A handler gets a `Site`. It
reads operands in the layouts it chooses (`site.read(index, layout)`, a local tensor), emits what each device computes,
and defines each result in the layout in which it comes (`site.define(index, layout, tensor)`); nobody needs to bring it
into the layout that the program declares, which whoever reads it asks for. A result may be a sum of parts
(`Layout.partial`). Most ops are the same op on the parts that their sharding rule allows (`by_rule.py`). Other handlers
say which loops an op has, by its rule or by a `RuleWriter`, and leave the choice to `factors.partition`:

    def _sort(site: Site) -> None:
        partition(site, rule_for(site.op, products=site.partitioner.costs.sorting(length)))

Rules for handlers:

- A dimension of n elements in p parts has ceil(n / p) elements on each device; what is behind the n-th is padding, of
  any value, infinities and NaN too. An op that mixes elements masks it (`site.masked`), or keeps the dimension whole.
- All devices run the same ops in the same order: what decides control flow is replicated.
- Tensors of `site.read` belong to the block of the op. One read by `Value.in_layout` may belong to an outer block;
  what its methods emit goes there.
- `whole.whole` is for what cannot be divided: it gathers, and says so.
"""
