// A step: the program before and behind it, side by side.

import { CHANGE, DELETE, INSERT, KEEP, LEVELS } from "data";
import { h, number, seconds } from "dom";
import { differing, isSimilar, spans, tokens } from "highlight";
import { List, ROW } from "list";

const CONTEXT = 3; // lines around changes where only these are shown
const NONE = -1;

export class Panes {
  constructor(app) {
    this.app = app;
    this.onlyChanges = false;
    this.isNarrow = false;
    this.opened = new Set();
    this.cursor = { side: 1, row: 0 };
    this.title = h("div", { class: "step", "aria-live": "polite" });
    const toggle = (label, key, name) => h("label", { title: `key ${key}` },
      h("input", { type: "checkbox", onchange: (event) => { this[name] = event.target.checked; this.layout(); } }), label);
    const jump = (by) => () => this.jump(by);
    this.bar = h("div", { class: "bar" }, this.title, h("span", { class: "tools" },
      h("button", { type: "button", title: "previous change (N)", "aria-label": "Previous change", onclick: jump(-1) }, "↑"),
      h("button", { type: "button", title: "next change (n)", "aria-label": "Next change", onclick: jump(1) }, "↓"),
      toggle("changes only", "c", "onlyChanges"), toggle("behind only", "b", "isNarrow")));
    this.panes = ["before", "behind"].map((name, side) => h("div", { class: `pane ${name}`, role: "listbox", tabindex: 0,
      "aria-label": `The program ${name} the step`, onclick: (event) => this.click(event, side),
      onkeydown: (event) => this.key(event, side), onfocus: () => this.focus(side) }));
    const follow = (element) => {
      for (const other of this.panes) if (other.scrollTop !== element.scrollTop) other.scrollTop = element.scrollTop;
      this.drawMap();
    };
    this.lists = this.panes.map((pane, side) => new List(pane, (row) => this.row(row, side), follow));
    this.map = h("canvas", { class: "map", "aria-hidden": "true", onpointerdown: (event) => this.scrub(event),
      onpointermove: (event) => event.buttons && this.scrub(event) });
    new ResizeObserver(() => this.drawMap()).observe(this.map);
    this.element = h("div", { class: "panes" }, this.bar, h("div", { class: "sides" }, ...this.panes, this.map));
  }

  show() {
    if (this.stage !== this.app.stage) {
      this.opened.clear();
      this.stage = this.app.stage;
      this.layout();
    } else this.redraw();
  }

  layout() {
    const { program } = this.app, { stage } = this;
    const step = program.stages[stage], { changed, added, removed } = program.changes(stage);
    const [only, narrow] = this.bar.querySelectorAll("input");
    [only.checked, narrow.checked] = [this.onlyChanges, this.isNarrow];
    const patterns = Object.entries(step.patterns).map(([name, count]) => `${name} ×${count}`).join(", ");
    this.title.replaceChildren(h("b", {}, step.name), ` ${LEVELS[step.level]} · ${number(step.ops)} ${step.level > 6 ? "instructions" : "ops"}`,
      stage ? ` · ${number(changed)} changed, ${number(added)} new, ${number(removed)} gone` : "",
      step.seconds !== null ? ` · ${seconds(step.seconds)}` : "",
      h("span", { class: "reason" }, step.reason),
      patterns && h("details", {}, h("summary", {}, "patterns applied"), patterns));
    this.element.classList.toggle("narrow", this.isNarrow || stage === 0);
    this.rows = rowsOf(step, stage, this.onlyChanges ? this.opened : null);
    const longest = (at) => at.ids.reduce((most, id) => Math.max(most, program.lines[id].length), 0);
    this.lists[0].reset(this.rows.length, stage ? longest(program.at(stage - 1)) : 0);
    this.lists[1].reset(this.rows.length, longest(program.at(stage)));
    this.drawMap();
  }

  redraw() {
    for (const list of this.lists) list.redraw();
    this.drawMap();
  }

  // The step and the line of a side of a row; none for rows that have nothing there.
  at(row, side) {
    const entry = this.rows[row];
    if (!entry || entry.fold) return null;
    const line = side ? entry.right : entry.left;
    return line === NONE ? null : { stage: this.stage - 1 + side, line };
  }

  row(number, side) {
    const entry = this.rows[number];
    if (entry.fold)
      return h("div", { class: "row fold", role: "option" }, `${entry.fold} lines stay`);
    const place = this.at(number, side);
    const kind = entry.kind === KEEP ? "" : place === null ? "hole" : entry.kind === CHANGE ? "changed" : side ? "new" : "gone";
    const element = h("div", { class: `row ${kind}`, role: "option", id: `line-${side}-${number}` });
    if (place === null) return element;
    const { program, marks, chosen, query } = this.app;
    const mark = marks?.[place.stage].get(place.line);
    if (mark !== undefined) {
      element.classList.add("traced", mark === 3 ? "guess" : "sure");
      element.title = mark === 3 ? "a guess" : "";
    }
    const isChosen = chosen?.stage === place.stage && chosen.line === place.line;
    element.classList.toggle("chosen", isChosen);
    element.classList.toggle("cursor", this.cursor.side === side && this.cursor.row === number);
    element.setAttribute("aria-selected", isChosen);
    const isAssembly = program.stages[place.stage].level === 8;
    const parts = tokens(program.text(place.stage, place.line), isAssembly);
    let marked = null;
    const other = entry.kind === CHANGE ? this.at(number, 1 - side) : null;
    if (other) {
      const otherParts = tokens(program.text(other.stage, other.line), program.stages[other.stage].level === 8);
      marked = side ? differing(otherParts, parts)[1] : differing(parts, otherParts)[0];
      if (!isSimilar(parts, marked)) marked = null;
    }
    element.append(h("span", { class: "line" }, place.line + 1), h("code", {}, spans(parts, marked, query)));
    return element;
  }

  click(event, side) {
    const row = Math.floor((event.clientY - this.lists[side].body.getBoundingClientRect().top) / ROW);
    if (this.rows[row]?.fold) return this.unfold(row);
    const place = this.at(row, side);
    if (!place) return;
    this.cursor = { side, row };
    const symbol = event.target.closest?.(".symbol")?.textContent.replace(/[@"]/g, "");
    if (symbol && (event.ctrlKey || event.metaKey || event.altKey)) this.definition(symbol);
    else this.app.choose(place.stage, place.line);
  }

  unfold(row) {
    this.opened.add(this.rows[row].at);
    this.layout();
  }

  definition(name) {
    const found = this.app.program.functions(this.stage).find((entry) => entry.name === name);
    if (found) this.reveal(this.stage, found.line);
  }

  focus(side) {
    this.cursor.side = side;
    this.redraw();
    this.announce();
  }

  key(event, side) {
    const page = Math.max(1, Math.floor(this.panes[side].clientHeight / ROW) - 2);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in steps && !event.ctrlKey && !event.metaKey)
      this.move(steps[event.key]);
    else if (event.key === "Enter" || event.key === " ") {
      const { row } = this.cursor, place = this.at(row, side);
      if (this.rows[row]?.fold) this.unfold(row);
      else if (place) this.app.choose(place.stage, place.line);
    } else if (event.key === "d") {
      const place = this.at(this.cursor.row, side);
      const symbol = place && /@"?([\w.$-]+)/.exec(this.app.program.text(place.stage, place.line));
      if (symbol) this.definition(symbol[1]);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  move(by) {
    this.cursor.row = Math.max(0, Math.min(this.rows.length - 1, this.cursor.row + by));
    this.lists[1].reveal(this.cursor.row);
    this.panes[0].scrollTop = this.panes[1].scrollTop;
    this.redraw();
    this.announce();
  }

  announce() {
    this.panes.forEach((pane, side) => pane.setAttribute("aria-activedescendant", `line-${side}-${this.cursor.row}`));
  }

  // Puts the cursor on the next row that has changed, or on the one before.
  jump(by) {
    const isEdge = (row) => this.rows[row]?.kind !== KEEP && (this.rows[row - 1]?.kind ?? KEEP) === KEEP;
    for (let row = this.cursor.row + by; row >= 0 && row < this.rows.length; row += by)
      if (!this.rows[row].fold && isEdge(row)) return this.put(row);
  }

  put(row) {
    this.cursor.row = row;
    for (const list of this.lists) list.reveal(row, true);
    this.redraw();
    this.announce();
  }

  reveal(stage, line) {
    if (line === undefined) {
      this.cursor.row = Math.max(0, this.rows.findIndex((row) => row.kind !== KEEP));
      for (const list of this.lists) list.reveal(this.cursor.row, true);
      return this.redraw();
    }
    const side = stage === this.stage ? 1 : 0;
    const find = () => this.rows.findIndex((row) => !row.fold && (side ? row.right : row.left) === line);
    if (find() < 0) {
      this.onlyChanges = false;
      this.layout();
    }
    this.cursor.side = side;
    this.put(Math.max(0, find()));
  }

  // The next row that the search finds.
  seek(by) {
    const { program, query } = this.app;
    const has = (row, side) => {
      const place = this.at(row, side);
      return place && program.text(place.stage, place.line).toLowerCase().includes(query);
    };
    const count = this.rows.length;
    for (let n = 1; n <= count; n++) {
      const row = (this.cursor.row + by * n + count * 2) % count;
      if (has(row, 1) || (this.stage && has(row, 0))) return this.put(row);
    }
  }

  scrub(event) {
    const { top, height } = this.map.getBoundingClientRect();
    const pane = this.panes[1];
    pane.scrollTop = ((event.clientY - top) / height) * pane.scrollHeight - pane.clientHeight / 2;
  }

  // All rows at a glance: what has changed, what belongs to what is chosen, and where the panes are.
  drawMap() {
    const { map } = this, pane = this.panes[1];
    const scale = window.devicePixelRatio || 1, width = map.clientWidth, height = map.clientHeight;
    if (!height || !this.rows) return;
    [map.width, map.height] = [width * scale, height * scale];
    const context = map.getContext("2d"), style = getComputedStyle(map);
    context.scale(scale, scale);
    const per = Math.min(ROW, height / this.rows.length);
    const bar = (row, count, name, from, to) => {
      context.fillStyle = style.getPropertyValue(name);
      context.fillRect(from * width, row * per, (to - from) * width, Math.max(1, count * per));
    };
    const { marks } = this.app;
    this.rows.forEach((row, place) => {
      if (row.kind === CHANGE) bar(place, 1, "--changed-strong", 0, 0.5);
      if (row.kind === DELETE || (row.kind === INSERT && row.left !== NONE)) bar(place, 1, "--gone-strong", 0, 0.25);
      if (row.kind === INSERT || (row.kind === DELETE && row.right !== NONE)) bar(place, 1, "--new-strong", 0.25, 0.5);
      if (marks && (marks[this.stage]?.has(row.right) || (this.stage && marks[this.stage - 1].has(row.left))))
        bar(place, 1, "--traced-strong", 0.5, 1);
    });
    context.strokeStyle = style.getPropertyValue("--text");
    context.strokeRect(0.5, (pane.scrollTop / ROW) * per + 0.5, width - 1, Math.max(4, (pane.clientHeight / ROW) * per - 1));
  }
}

// Lines that go and lines that come in their place stand side by side.
function rowsOf(step, stage, opened) {
  const rows = [], { runs } = step;
  let left = 0, right = 0, gap = 0; // `gap`: where rows of lines that go or come began
  for (let r = 0; r < runs.length; r += 2) {
    const run = stage ? runs[r] : KEEP, count = runs[r + 1];
    if (run === KEEP || run === CHANGE) {
      for (let n = 0; n < count; n++) rows.push({ kind: run, left: stage ? left++ : NONE, right: right++ });
      gap = rows.length;
      continue;
    }
    let at = gap;
    const side = run === DELETE ? "left" : "right";
    for (let n = 0; n < count; n++) {
      while (at < rows.length && rows[at][side] !== NONE) at++;
      if (at === rows.length) rows.push({ kind: run, left: NONE, right: NONE });
      rows[at][side] = run === DELETE ? left++ : right++;
    }
  }
  for (const row of rows) if (row.left !== NONE && row.right !== NONE && row.kind > CHANGE) row.kind = DELETE;
  return opened === null ? rows : folded(rows, opened);
}

function folded(rows, opened) {
  const found = [];
  for (let start = 0; start < rows.length; ) {
    let end = start;
    while (end < rows.length && rows[end].kind === KEEP) end++;
    const from = start === 0 ? 0 : start + CONTEXT, to = end === rows.length ? end : end - CONTEXT;
    if (to - from > 1 && !opened.has(from))
      found.push(...rows.slice(start, from), { fold: to - from, at: from, kind: KEEP }, ...rows.slice(to, end));
    else found.push(...rows.slice(start, end));
    for (start = end; start < rows.length && rows[start].kind !== KEEP; start++) found.push(rows[start]);
  }
  return found;
}
