"""One version of the package as a side of a comparison: a script that reads commands and answers in lines of JSON.

It runs with the package of any version in front of the path, and uses nothing of this one but what `compile` has always
been. Commands: `inputs FILE.npz`, `compile FILE.mlir`, `run SECONDS`.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from typing import Any


def main(threads: int) -> None:
    import ml_dtypes
    import numpy as np

    compile: Any = importlib.import_module("xdsl_xla").compile
    inputs: list[Any] = []
    executable: Any = None
    for line in sys.stdin:
        command, argument = line.split(maxsplit=1)
        answer: dict[str, float] = {}
        try:
            if command == "inputs":
                with np.load(argument.strip()) as arrays:
                    inputs = [arrays[name] for name in arrays.files]
                inputs = [each.view(ml_dtypes.bfloat16) if each.dtype.kind == "V" else each for each in inputs]
            elif command == "compile":
                with open(argument.strip(), encoding="utf-8") as file:
                    text = file.read()
                wall, cpu = time.perf_counter(), time.process_time()
                executable = compile(text, threads=threads)
                answer = {"seconds": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
            else:
                executable(*inputs)
                times: list[float] = []
                until = time.perf_counter() + float(argument)
                while not times or time.perf_counter() < until:
                    start = time.perf_counter()
                    executable(*inputs)
                    times.append(time.perf_counter() - start)
                answer = {"median": sorted(times)[len(times) // 2], "best": min(times)}
        except Exception as error:
            print(json.dumps({"error": f"{type(error).__name__}: {error}"}), flush=True)
            continue
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
