"""The page in Chromium and in Firefox, where they are installed."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsers import CHROMIUM, FIREFOX, Browser, Chromium, Firefox, installed
from pages import recorded
from xdsl_xla.tools.html import module_page
from xdsl_xla.tools.html.page import page
from xdsl_xla.tools.html.recorder import Recorder

BROWSERS = {"chromium": (CHROMIUM, Chromium), "firefox": (FIREFOX, Firefox)}
MOST_SECONDS = 2.0
MOST_BYTES = 20_000_000


@pytest.fixture(scope="module")
def recorder() -> Recorder:
    return recorded()


@pytest.fixture(scope="module")
def path(recorder: Recorder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(page(recorder, "program.mlir", profile={"contraction_0": 0.002, "rows_0": 0.001}))
    return path


@pytest.fixture(scope="module", params=BROWSERS)
def browser(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    names, kind = BROWSERS[request.param]
    if installed(names) is None:
        pytest.skip(f"none of {', '.join(names)} is installed")
    browser = kind(tmp_path_factory.mktemp("profile"))
    try:
        yield browser
    finally:
        browser.close()


@pytest.fixture
def shown(browser: Browser, path: Path) -> Browser:
    browser.open(path)
    browser.wait("document.body?.dataset.ready")
    return browser


def number_of(browser: Browser, name: str) -> int:
    number = browser.run(f"app.program.stages.findIndex((stage) => stage.name === '{name}')")
    assert number >= 0
    return number


def chosen(browser: Browser, text: str) -> None:
    """A click on the first line of the input with `text`."""
    browser.run("app.go(0)")
    script = f"[...document.querySelectorAll('.behind .row')].find((row) => row.textContent.includes('{text}'))"
    browser.run(
        f"(() => {{ const row = {script}; const box = row.getBoundingClientRect(); row.dispatchEvent("
        "new MouseEvent('click', { bubbles: true, clientX: box.left + 60, clientY: box.top + 9 })); })()"
    )
    browser.wait("app.chosen !== null")


def test_all_steps_are_there(shown: Browser) -> None:
    names = shown.run("[...document.querySelectorAll('#sidebar .name')].map((name) => name.textContent)")
    assert names == shown.run("app.program.stages.map((stage) => stage.name)")
    assert names[0] == "input" and names[-1] == "assembly"
    assert shown.run("document.getElementById('error').hidden") is True


def test_lines_are_those_of_the_program(shown: Browser, recorder: Recorder) -> None:
    for stage in (0, len(recorder.stages) // 2, len(recorder.stages) - 2):
        lines = shown.run(f"[...app.program.at({stage}).ids].map((id) => app.program.lines[id])")
        assert lines == recorder.stages[stage].lines


def test_before_and_behind_stand_side_by_side(shown: Browser) -> None:
    shown.run(f"app.go({number_of(shown, 'stablehlo-simplify')})")
    assert "gone" in shown.run("[...document.querySelectorAll('.before .row')].map((row) => row.className).join()")
    tops = shown.run(
        "['before', 'behind'].map((side) => [...document.querySelectorAll(`.${side} .row`)]"
        ".find((row) => row.textContent.includes('stablehlo.exponential')).getBoundingClientRect().top)"
    )
    assert tops[0] == tops[1]


def test_only_lines_in_sight_are_in_the_page(shown: Browser) -> None:
    shown.run("app.go(app.program.stages.length - 1)")
    assert shown.run("app.panes.rows.length") > 250
    assert shown.run("document.querySelectorAll('.row').length") < 200


def test_a_click_lights_up_the_way_to_assembly(shown: Browser) -> None:
    chosen(shown, "stablehlo.dot_general")
    counts = shown.run("app.marks.map((lines) => lines.size)")
    assert all(counts), counts
    steps = shown.run("[...document.querySelectorAll('#history .stage')].map((step) => step.firstChild.textContent)")
    assert steps[0] == "input" and steps[-1] == "assembly" and "convert-to-llvm" in steps
    shown.run("[...document.querySelectorAll('#history .stage')].at(-1).click()")
    shown.wait("app.stage === app.program.stages.length - 1")
    assert shown.run("document.querySelectorAll('.behind .row.traced').length") > 0
    shown.press("Escape")
    shown.wait("app.chosen === null")
    assert shown.run("document.querySelectorAll('.row.traced').length") == 0


def test_the_way_back_from_assembly(shown: Browser) -> None:
    shown.run("app.choose(app.program.stages.length - 1, [...app.program.at(app.program.stages.length - 1).back.starts]"
              ".findIndex((start, line, all) => all[line + 1] > start))")  # fmt: skip
    assert shown.run("app.marks[0].size") > 0


def test_the_keyboard(shown: Browser) -> None:
    stage = shown.run("app.stage")
    shown.press("j")
    shown.wait(f"app.stage === {stage + 1}")
    shown.press("k")
    shown.wait(f"app.stage === {stage}")
    shown.press("J")
    shown.wait(f"app.stage > {stage} && app.program.changes(app.stage).any")
    shown.run("document.querySelector('.behind').focus()")
    shown.press("ArrowDown")
    shown.press("ArrowDown")
    shown.press("Enter")
    shown.wait("app.chosen !== null")
    assert shown.run("document.activeElement.getAttribute('aria-activedescendant')") is not None
    shown.press("c")
    shown.wait("app.panes.onlyChanges")
    assert shown.run("app.panes.rows.length") <= shown.run("app.program.at(app.stage).ids.length * 2")
    for key, view in zip("12345", ("passes", "graph", "schedules", "memory", "times"), strict=True):
        shown.press(key)
        shown.wait(f"document.body.dataset.view === '{view}'")


def test_help(shown: Browser) -> None:
    shown.press("?")
    shown.wait("app.keys.dialog.open")
    assert shown.run("document.querySelectorAll('dialog dt').length") == shown.run(
        "document.querySelectorAll('dialog dd').length"
    )
    assert "previous step" in shown.run("document.querySelector('dialog dd').textContent")
    shown.press("Escape")
    shown.wait("!app.keys.dialog.open")


def test_search(shown: Browser) -> None:
    shown.run("app.go(0)")
    shown.press("/")
    shown.wait("document.activeElement.type === 'search'")
    for letter in "expon":
        shown.press(letter)
    shown.wait("document.querySelector('#search output').textContent === '1 here'")
    shown.press("Enter")
    row = "app.program.text(0, app.panes.rows[app.panes.cursor.row].right)"
    shown.wait(f"{row}.includes('exponential')")
    assert shown.run("document.querySelectorAll('.hit').length") == 1
    assert shown.run("document.querySelectorAll('#sidebar .found').length") > 10
    shown.press("Escape")
    shown.wait("app.query === ''")


def test_the_graph_of_kernels(shown: Browser) -> None:
    shown.run("app.open('graph')")
    labels = shown.run("[...document.querySelectorAll('.node')].map((node) => node.getAttribute('aria-label'))")
    assert any("contraction_0" in label and "2.0 ms" in label for label in labels)
    overlaps = shown.run(
        "(({ x, layers }) =>"
        " layers.flatMap((nodes) => nodes.slice(1).filter((node, n) => x[node] - x[nodes[n]] < 168)))"
        "(app.view('graph').places)"
    )
    assert overlaps == []
    shown.run("app.view('graph').choice.value = '0/0'; app.view('graph').pick()")
    owners = shown.run("app.view('graph').nodes.map((node, n) => [node.label, app.view('graph').owners[n]])")
    assert {label: names for label, names in owners}["dot_general"][0].startswith("contraction")
    shown.run("document.querySelectorAll('.node')[4].focus()")
    shown.press("Enter")
    shown.wait("app.chosen !== null && document.querySelector('.node.traced')")


def test_schedules_memory_and_times(shown: Browser) -> None:
    shown.run("app.open('schedules')")
    assert "compute" in shown.run("document.querySelector('.schedules code').textContent")
    shown.run("app.open('memory')")
    assert (
        shown.run("document.querySelectorAll('.buffer').length") == shown.run("app.program.memory.buffers.length") > 0
    )
    shown.run("document.querySelector('.buffer').dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    shown.wait("app.chosen !== null")
    shown.run("app.open('times')")
    assert shown.run("document.querySelector('.times td').textContent") == "contraction_0"


def test_colours(shown: Browser) -> None:
    page_colour = "getComputedStyle(document.body).backgroundColor"
    colours: list[str] = []
    for theme in ("light", "dark"):
        shown.run(f"document.documentElement.dataset.theme = '{theme}'")
        colours.append(shown.run(page_colour))
    assert colours == ["rgb(255, 255, 255)", "rgb(20, 23, 28)"]
    shown.run("app.keys.paint('auto')")
    if isinstance(shown, Chromium):
        for scheme, colour in zip(("light", "dark"), colours, strict=True):
            shown.prefer(scheme)
            assert shown.run(page_colour) == colour
    shown.run("document.getElementById('theme').click()")
    assert shown.run("document.documentElement.dataset.theme") == "dark"
    shown.run("app.keys.paint('auto')")


def test_everything_that_can_be_pressed_has_a_name(shown: Browser) -> None:
    chosen(shown, "stablehlo.dot_general")
    for view in ("passes", "graph", "schedules", "memory", "times"):
        shown.run(f"app.open('{view}')")
        nameless = shown.run(
            "[...document.querySelectorAll('button, input, select, [tabindex=\"0\"], [role=tab]')].filter((element) =>"
            " !(element.textContent.trim() || element.getAttribute('aria-label') || element.labels?.length))"
            ".map((element) => element.outerHTML)"
        )
        assert nameless == [], view


def test_a_link_leads_to_what_was_shown(browser: Browser, path: Path) -> None:
    browser.open(f"{path.as_uri()}#view=memory&step=3&of=0&line=4")
    browser.wait("document.body?.dataset.ready")
    assert browser.run("[app.stage, app.chosen, document.body.dataset.view]") == [3, {"stage": 0, "line": 4}, "memory"]
    browser.open(f"{path.as_uri()}#view=none&step=9999&of=-1&line=x")
    browser.wait("document.body?.dataset.ready")
    assert browser.run("[app.chosen, document.body.dataset.view]") == [None, "passes"]


@pytest.mark.slow
def test_the_frame_of_a_notebook(browser: Browser, tmp_path: Path) -> None:
    from pages import PROGRAM
    from xdsl_xla.runtime.mlir_text import parse_module
    from xdsl_xla.runtime.program_context import new_context

    cell = tmp_path / "cell.html"
    frame = module_page(parse_module(PROGRAM, "test", new_context()))._repr_html_()
    # The frame is a world of its own: it tells the test that it is there.
    told = frame.replace("performance.mark(&quot;ready&quot;)", "", 1).replace(
        "start();&lt;/script&gt;",
        "start().then(() =&gt; parent.postMessage(document.body.dataset.ready, '*'));&lt;/script&gt;",
    )
    cell.write_text(f"<script>addEventListener('message', (event) => {{ window.told = event.data; }})</script>{told}")
    browser.open(cell)
    browser.wait("window.told === 'true'")


def large_program(ops: int) -> str:
    numbers = random.Random(1)
    values = ["%a", "%b"]
    lines = ["func.func @main(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<16x16xf32> {"]
    for number in range(ops):
        x, y = (numbers.choice(values[-12:]) for _ in "xy")
        op = f"stablehlo.{numbers.choice(('add', 'multiply', 'subtract', 'maximum'))} {x}, {y} : tensor<16x16xf32>"
        if number % 13 == 0:
            op = f"stablehlo.transpose {x}, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>"
        lines.append(f"  %v{number} = {op}")
        values.append(f"%v{number}")
    return "\n".join([*lines, f"  return {values[-1]} : tensor<16x16xf32>", "}"])


@pytest.mark.slow
def test_two_thousand_ops(browser: Browser, tmp_path: Path) -> None:
    recorder = recorded(large_program(2000), "xla-cpu-to-kernels")
    assert recorder.stages[0].ops >= 2000
    text = page(recorder, "large")
    assert len(text) < MOST_BYTES
    path = tmp_path / "large.html"
    path.write_text(text)
    times: list[float] = []
    for _ in range(3):
        start = time.monotonic()
        browser.open(path)
        browser.wait("document.body?.dataset.ready")
        times.append(time.monotonic() - start)
    assert min(times) < MOST_SECONDS
    browser.run("app.choose(0, 1000)")
    assert browser.run("app.marks.at(-1).size") > 0
    browser.run("app.open('graph'); app.view('graph').choice.value = '0/0'; app.view('graph').pick()")
    assert browser.run("document.querySelectorAll('.node').length") > 2000
