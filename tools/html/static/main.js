// The page: what is chosen, and the views that show it.

import { load } from "data";
import { h } from "dom";
import { Graphs } from "graph";
import { History } from "history";
import { Keys } from "keys";
import { Memory } from "memory";
import { Panes } from "panes";
import { Profile } from "profile";
import { Schedules } from "schedules";
import { Search } from "search";
import { Sidebar } from "sidebar";
import { trace } from "trace";

const VIEWS = [["passes", "Passes", Panes], ["graph", "Graph", Graphs], ["schedules", "Schedules", Schedules],
  ["memory", "Memory", Memory], ["times", "Times", Profile]];

class App {
  constructor(program) {
    this.program = program;
    this.stage = 0;
    this.chosen = null; // { stage, line }
    this.marks = null; // by step, the lines that belong to what is chosen
    this.query = "";
    this.views = new Map();
    this.place = document.getElementById("view");
    this.tabs = document.getElementById("tabs");
    for (const [name, label] of VIEWS)
      this.tabs.append(h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "view",
        onclick: () => this.open(name) }, label));
    this.sidebar = new Sidebar(this, document.getElementById("sidebar"));
    this.history = new History(this, document.getElementById("history"));
    this.search = new Search(this, document.getElementById("search"));
    this.keys = new Keys(this);
  }

  view(name) {
    if (!this.views.has(name)) {
      const [, , View] = VIEWS.find(([known]) => known === name);
      this.views.set(name, new View(this));
    }
    return this.views.get(name);
  }

  get panes() {
    return this.view("passes");
  }

  open(name) {
    this.current = name;
    const view = this.view(name);
    if (this.place.firstChild !== view.element) this.place.replaceChildren(view.element);
    for (const tab of this.tabs.children) {
      const isOpen = tab.id === `tab-${name}`;
      tab.setAttribute("aria-selected", isOpen);
      tab.tabIndex = isOpen ? 0 : -1;
    }
    this.place.setAttribute("aria-labelledby", `tab-${name}`);
    document.body.dataset.view = name;
    view.show();
    this.remember();
  }

  // Shows a step, with a line of it, or the first one that belongs to what is chosen, in sight.
  go(stage, line) {
    this.stage = Math.max(0, Math.min(this.program.stages.length - 1, stage));
    this.sidebar.show();
    this.open("passes");
    this.panes.reveal(this.stage, line ?? this.marks?.[this.stage].keys().next().value);
  }

  // Lights up where a line comes from and what it becomes.
  choose(stage, line) {
    this.chosen = { stage, line };
    this.marks = trace(this.program, stage, [line]);
    this.sidebar.show();
    this.history.show();
    this.view(this.current).show();
    this.remember();
  }

  forget() {
    this.chosen = this.marks = null;
    this.sidebar.show();
    this.history.show();
    this.view(this.current).show();
    this.remember();
  }

  find(query) {
    this.query = query;
    this.sidebar.show();
    if (this.current === "passes") this.panes.redraw();
  }

  // So that a link to the page, and the back button, lead to what is shown.
  remember() {
    const parts = [`view=${this.current}`, `step=${this.stage}`];
    if (this.chosen) parts.push(`of=${this.chosen.stage}`, `line=${this.chosen.line}`);
    try {
      history.replaceState(null, "", `#${parts.join("&")}`);
    } catch {} // in the frame of a notebook there is no address
  }

  recall() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const stages = this.program.stages;
    const whole = (name, below) => {
      const value = Number(asked.get(name) ?? NaN);
      return Number.isInteger(value) && value >= 0 && value < below ? value : null;
    };
    const stage = whole("step", stages.length), of = whole("of", stages.length);
    const line = of === null ? null : whole("line", stages[of].count);
    const first = stages.findIndex((_, k) => k > 0 && this.program.changes(k).any);
    this.go(stage ?? Math.max(0, first));
    if (line !== null) this.choose(of, line);
    const view = asked.get("view");
    if (VIEWS.some(([name]) => name === view)) this.open(view);
  }
}

export async function start() {
  try {
    const program = await load();
    if (program.error) {
      const place = document.getElementById("error");
      place.hidden = false;
      place.textContent = program.error;
    }
    document.getElementById("title").title = program.note;
    const app = (window.app = new App(program));
    app.recall();
    document.body.dataset.ready = "true"; // for tests
    performance.mark("ready");
  } catch (error) {
    const place = document.getElementById("error");
    place.hidden = false;
    place.textContent = `This page cannot be shown: ${error.message}`;
    throw error;
  }
}
