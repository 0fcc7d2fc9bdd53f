"""Hooks of mkdocs: generated pages on passes, and links that leave `docs/`.

`XDSL_XLA_REPOSITORY` is the address of the repository (`https://host/owner/name`), if it is known: links to files
outside of `docs/` lead there. Otherwise they become plain text.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any, cast

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

sys.path.insert(0, str(Path(__file__).parent))
import pass_pages

REPOSITORY = os.environ.get("XDSL_XLA_REPOSITORY", "").rstrip("/")
OUTSIDE = re.compile(r"\[([^\]]*)\]\(\.\./([^)\s]*)\)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The pages on passes follow their index in the navigation."""
    if REPOSITORY:
        config.repo_url = REPOSITORY
    names = pass_pages.pipelines.PASSES
    sections: list[dict[str, list[Any]]] = cast(Any, config)["nav"]
    for entries in (section["Passes"] for section in sections if "Passes" in section):
        entries.append({"Every pass": ["passes/index.md", *(f"passes/{name}.md" for name in names)]})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for name, text in pass_pages.pages().items():
        files.append(File.generated(config, f"passes/{name}", content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    return OUTSIDE.sub(rf"[\1]({REPOSITORY}/blob/main/\2)" if REPOSITORY else r"\1", markdown)
