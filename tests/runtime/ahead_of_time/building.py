"""Drivers in C and C++ for any model, built with the system's compilers, for tests: inputs and outputs in raw files."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from xdsl_xla.runtime.ahead_of_time.header import c_type, header_text
from xdsl_xla.runtime.ahead_of_time.library import Library, LibraryOptions, compile_library
from xdsl_xla.runtime.ahead_of_time.linking import link

CC, CXX = shutil.which("cc"), shutil.which("c++")

needs_compilers = pytest.mark.skipif(CC is None or CXX is None, reason="no C and C++ compilers (cc, c++)")

WARNINGS = ("-Wall", "-Wextra", "-Werror", "-pedantic", "-O1", "-g")

C_DRIVER = """\
#include "MODEL.h"
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  xla_info info = XLA_INFO;
  if (argc != 4 || MODEL_get_info(&info)) return 2;
  xla_buffer *buffers = calloc(info.num_inputs + info.num_outputs + 1, sizeof(xla_buffer));
  FILE *file = fopen(argv[1], "rb");
  for (size_t i = 0; i < info.num_inputs + info.num_outputs; ++i) {
    int is_input = i < info.num_inputs;
    size_t size = is_input ? info.inputs[i].size : info.outputs[i - info.num_inputs].size;
    buffers[i].size = size;
    buffers[i].data = aligned_alloc(16, size + 16 - size % 16);
    if (is_input && fread(buffers[i].data, 1, size, file) != size) return 3;
  }
  fclose(file);
  xla_options options = XLA_OPTIONS;
  options.threads = atoi(argv[3]);
  MODEL_context *context;
  xla_status status = MODEL_create(&options, &context);
  for (int run = 0; run < 2 && !status; ++run)
    status = MODEL_run(context, buffers, info.num_inputs, buffers + info.num_inputs, info.num_outputs);
  if (status) {
    fprintf(stderr, "%s: %s\\n", MODEL_status_message(status), MODEL_error_message());
    return 1;
  }
  file = fopen(argv[2], "wb");
  for (size_t i = 0; i < info.num_outputs; ++i)
    fwrite(buffers[info.num_inputs + i].data, 1, buffers[info.num_inputs + i].size, file);
  fclose(file);
  for (size_t i = 0; i < info.num_inputs + info.num_outputs; ++i) free(buffers[i].data);
  free(buffers);
  MODEL_destroy(context);
  return 0;
}
"""


def cpp_driver(library: Library) -> str:
    """A program that calls the class of a model with vectors, on two threads at once, and compares."""
    name, inputs, outputs = library.name, library.tables.inputs, library.tables.outputs
    lines: list[str] = []
    for index, spec in enumerate(inputs):
        lines.append(f"  array<{c_type(spec)}> in{index}({spec.byte_size // spec.dtype.itemsize});")
        lines.append(f"  file.read(reinterpret_cast<char *>(in{index}.data()), {spec.byte_size});")
    results = [
        f"array<{c_type(spec)}> out{index}({spec.byte_size // spec.dtype.itemsize});"
        for index, spec in enumerate(outputs)
    ]
    call = ", ".join([*(f"in{i}" for i in range(len(inputs))), *(f"out{i}" for i in range(len(outputs)))])
    writes = [f"out.append(reinterpret_cast<char *>(out{i}.data()), {s.byte_size});" for i, s in enumerate(outputs)]
    return f"""\
#include "{name}.h"
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <thread>

template <typename T>
struct array {{
  explicit array(size_t count) : memory(new T[count ? count : 1]()), count(count) {{}}
  T *data() {{ return memory.get(); }}
  size_t size() const {{ return count; }}
  std::unique_ptr<T[]> memory;
  size_t count;
}};

int main(int argc, char **argv) try {{
  if (argc != 4) return 2;
  std::ifstream file(argv[1], std::ios::binary);
{chr(10).join(lines)}
  xla_options options = XLA_OPTIONS;
  options.threads = std::stoi(argv[3]);
  {name}::model model(options);
  auto run = [&](std::string &out) {{
    {(chr(10) + "    ").join([*results, f"model({call});", *writes])}
  }};
  std::string one, other;
  std::thread thread(run, std::ref(one));
  run(other);
  thread.join();
  if (one != other) return 4;
  std::ofstream(argv[2], std::ios::binary).write(one.data(), static_cast<std::streamsize>(one.size()));
}} catch (const xla_model::error &error) {{
  std::cerr << error.what() << "\\n";
  return 1;
}}
"""


def build(
    library: Library, folder: Path, *, compiler: str | None = None, flags: Sequence[str] = (), cpp: bool = True
) -> dict[str, Path]:
    """The driver in C, linked with a static library, and the one in C++, linked with a shared one."""
    name = library.name
    (folder / f"{name}.h").write_text(header_text(library.tables))
    (folder / "driver.c").write_text(C_DRIVER.replace("MODEL", name))
    (folder / "driver.cpp").write_text(cpp_driver(library))
    openmp = ["-fopenmp"] if library.tables.threads > 1 else []
    link(library, folder / f"lib{name}.a")
    link(library, folder / f"lib{name}.so")
    assert CC is not None and CXX is not None
    command(
        [compiler or CC, "-std=c11", *WARNINGS, *flags, "driver.c", f"lib{name}.a", *openmp, "-lm", "-o", "c"], folder
    )
    if not cpp:
        return {"C": folder / "c"}
    shared = [f"lib{name}.so", "-Wl,-rpath,$ORIGIN", "-pthread"]
    command([CXX, "-std=c++11", *WARNINGS, *flags, "driver.cpp", *shared, "-o", "cpp"], folder)
    return {"C": folder / "c", "C++": folder / "cpp"}


def command(words: Sequence[str], folder: Path) -> str:
    """What it prints; fails if it fails."""
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def run(
    driver: Sequence[str], library: Library, arrays: Sequence[np.ndarray], folder: Path, threads: int
) -> list[bytes]:
    """The bytes of each result that the driver writes."""
    (folder / "in").write_bytes(b"".join(array.tobytes() for array in arrays))
    command([*driver, "in", "out", str(threads)], folder)
    data, results = (folder / "out").read_bytes(), list[bytes]()
    for spec in library.tables.outputs:
        results.append(data[: spec.byte_size])
        data = data[spec.byte_size :]
    assert not data
    return results


def library_of(source: str | Path, name: str = "model", **options: object) -> Library:
    """The library of a program, which may be text."""
    return compile_library(source, LibraryOptions(name, **options))  # pyright: ignore[reportArgumentType]


LARGE = """
func.func @main(%x: tensor<300x40xf32>) -> (tensor<300x40xf32>, tensor<700xi64>) {
  %t = stablehlo.constant dense<"0x%s"> : tensor<300x40xf32>
  %u = stablehlo.constant dense<"0x%s"> : tensor<700xi64>
  %0 = stablehlo.add %%x, %%t : tensor<300x40xf32>
  return %0, %u : tensor<300x40xf32>, tensor<700xi64>
}"""


def large() -> str:
    """A program with large constants."""
    tables = np.arange(12000, dtype=np.float32).tobytes().hex(), np.arange(700).tobytes().hex()
    return LARGE.replace("%s", "{}").replace("%%", "%").replace("{", "{{", 1).replace("\n}", "\n}}").format(*tables)
