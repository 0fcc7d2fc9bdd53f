"""A compilation as one page of HTML: every level before and after each pass, and what became of each op.

    xla-opt program.mlir --html out.html
    xla-run program.mlir --html out.html

`recorder.py` watches a pipeline, `origins.py` finds where ops come from, `alignment.py` sets two levels side by side,
`native.py` goes on through LLVM to assembly, `page.py` writes the page. What the browser runs is in `static/`.
"""

from .notebook import Page, load_ipython_extension, module_page, show

__all__ = ["Page", "load_ipython_extension", "module_page", "show"]
