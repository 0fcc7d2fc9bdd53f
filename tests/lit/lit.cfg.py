"""`lit tests/lit`: every `.mlir` and `.hlo` file is a test; commands come from the environment of the running
Python.
"""

import os
import sys
from pathlib import Path

import lit.formats

config.name = "xdsl-xla"  # noqa: F821
config.test_format = lit.formats.ShTest(execute_external=False)  # noqa: F821
config.suffixes = [".mlir", ".hlo"]  # noqa: F821
config.excludes = ["Inputs"]  # noqa: F821
config.test_source_root = os.path.dirname(__file__)  # noqa: F821
config.test_exec_root = os.path.join(os.path.dirname(__file__), "Output")  # noqa: F821

config.environment["PATH"] = os.pathsep.join(  # noqa: F821
    [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
)
config.environment["XDSL_XLA_CACHE"] = "0"  # noqa: F821
config.environment["XDSL_XLA_SCHEDULES"] = ""  # noqa: F821
config.substitutions.append(("%python", sys.executable))  # noqa: F821
config.substitutions.append(("%root", str(Path(__file__).resolve().parents[2])))  # noqa: F821
