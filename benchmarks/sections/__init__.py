"""What the command measures: one section a file, each with a function `measure` from `Settings` to a `Result`."""

from .section import Section

SECTIONS = (
    Section("run", "run time of 25 programs against XLA:CPU and NumPy", takes_programs=True),
    Section("more", "run time of many more programs, written in JAX", takes_programs=True),
    Section("models", "whole models: run time, compile time and memory", takes_names=True, also_one_thread=True),
    Section(
        "pytorch",
        "what libraries have a function for, against PyTorch; needs torch, only if named",
        takes_names=True,
        is_of_all=False,
        also_one_thread=True,
    ),
    Section(
        "libraries",
        "steps of flax, equinox, optax, numpyro, diffrax, brax, jax_md on either platform; only if named",
        takes_names=True,
        is_of_all=False,
    ),
    Section(
        "neighbours",
        "small parallel loops, alone and beside a busy process; only if named",
        takes_names=True,
        is_of_all=False,
    ),
    Section("matmul", "matrix products on one thread, against XLA:CPU and NumPy", one_thread=True),
    Section("compile", "compile time against XLA:CPU's, without caches", takes_programs=True),
    Section("warm", "start of a fresh process from the cache of compiled programs", takes_programs=True),
    Section("growth", "compile time of 10 to 80 stacked transformer blocks"),
    Section("directions", "exponents of compile time of programs that grow in fourteen directions"),
    Section("calls", "what a call of a tiny function costs"),
    Section("dispatch", "what JAX needs to call a tiny function on this platform", is_of_all=False),
    Section("devices", "programs on two devices of one thread each", is_of_all=False),
    Section("loops", "what a step of a compiled loop costs"),
    Section("memory", "peak memory against XLA:CPU's", takes_programs=True),
    Section("values", "run time where values are subnormal, infinite or NaN", takes_programs=True, is_of_all=False),
    Section(
        "ablation",
        "what each optional step, fast path and tuned constant is worth; an hour, only if named",
        takes_programs=True,
        takes_names=True,
        is_of_all=False,
    ),
    Section(
        "versions",
        "run and compile time against another version of this package (--against); only if named",
        takes_programs=True,
        is_of_all=False,
    ),
    Section("threads", "a check: results agree at 1 to 4 threads", takes_programs=True),
)
"""In the order they run."""
