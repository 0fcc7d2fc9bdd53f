"""The parts of the package's description that depend on where its repository is; `pyproject.toml` has the rest.

`XDSL_XLA_REPOSITORY` is that place (`https://host/owner/name`), which the workflow for releases knows. With it the
links of the README, which are relative in the repository, are absolute on the package index, and the index links to the
project. Without it they are plain text there: no link is dead.
"""

import os
import re
from pathlib import Path

from setuptools import setup

REPOSITORY = os.environ.get("XDSL_XLA_REPOSITORY", "").rstrip("/")


def description() -> str:
    """The README for the index: links to files lead to the repository, comments for tests are gone."""
    text = (Path(__file__).parent / "README.md").read_text("utf-8")
    text = re.sub(r"<!-- .*? -->\n+", "", text)
    replacement = rf"[\1]({REPOSITORY}/blob/main/\2)" if REPOSITORY else r"\1"
    return re.sub(r"\[([^\]]*)\]\((?![a-z]+:|#)([^)\s]+)\)", replacement, text)


def urls() -> dict[str, str]:
    if not REPOSITORY:
        return {}
    return {
        "Repository": REPOSITORY,
        "Documentation": f"{REPOSITORY}/blob/main/docs/index.md",
        "Changelog": f"{REPOSITORY}/blob/main/CHANGELOG.md",
        "Issues": f"{REPOSITORY}/issues",
    }


setup(
    script_name="setup.py",  # this file is no module of the package that it lies in
    long_description=description(),
    long_description_content_type="text/markdown",
    project_urls=urls(),
)
