// The keyboard, and the colours of the page.

import { h } from "dom";

const HELP = [
  ["j  k", "next, previous step"], ["J  K", "next, previous step that changes something"], ["n  N", "next, previous change"],
  ["↑ ↓ Page Home End", "move through the lines"], ["Enter", "where the line comes from and what it becomes"],
  ["d, Ctrl click", "the function that the line names"], ["Esc", "let go of the line, end the search"],
  ["/  Enter  Shift Enter", "search, next, previous"], ["c  b", "changes only; the program behind the step only"],
  ["1 2 3 4 5", "passes, graph, schedules, memory, times"], ["t", "dark, light, as the system"], ["?", "this"],
];
const THEMES = ["auto", "dark", "light"];

export class Keys {
  constructor(app) {
    this.app = app;
    this.dialog = document.getElementById("keys");
    this.dialog.append(h("h2", {}, "Keys"),
      h("dl", {}, HELP.map(([keys, meaning]) => [h("dt", {}, keys), h("dd", {}, meaning)])),
      h("form", { method: "dialog" }, h("button", {}, "close")));
    document.getElementById("help").addEventListener("click", () => this.dialog.showModal());
    document.getElementById("theme").addEventListener("click", () => this.theme());
    document.addEventListener("keydown", (event) => this.press(event));
    app.tabs.addEventListener("keydown", (event) => this.tab(event));
    let stored = null;
    try { stored = localStorage.getItem("xdsl-xla-theme"); } catch {} // not in frames of a notebook
    this.paint(THEMES.includes(stored) ? stored : "auto");
  }

  paint(theme) {
    document.documentElement.dataset.theme = theme;
    document.getElementById("theme").textContent = { auto: "◐", dark: "●", light: "○" }[theme];
    try { localStorage.setItem("xdsl-xla-theme", theme); } catch {}
    this.app.views.get("passes")?.drawMap();
  }

  theme() {
    this.paint(THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length]);
  }

  tab(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const tabs = [...this.app.tabs.children];
    const next = tabs[(tabs.indexOf(document.activeElement) + by + tabs.length) % tabs.length];
    next.focus();
    next.click();
    event.preventDefault();
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.dialog.open) return;
    if (event.target.closest?.("input, select, textarea") && event.target.type !== "checkbox") return;
    const { app } = this;
    const toggle = (name) => {
      app.open("passes");
      app.panes[name] = !app.panes[name];
      app.panes.layout();
    };
    const step = (by) => () => app.go(app.stage + by);
    const changing = (by) => () => {
      for (let k = app.stage + by; k >= 0 && k < app.program.stages.length; k += by)
        if (app.program.changes(k).any) return app.go(k);
    };
    const actions = {
      j: step(1), k: step(-1), J: changing(1), K: changing(-1),
      n: () => app.panes.jump(1), N: () => app.panes.jump(-1),
      c: () => toggle("onlyChanges"), b: () => toggle("isNarrow"),
      t: () => this.theme(), "?": () => this.dialog.showModal(),
      "/": () => document.querySelector("#search input").focus(),
      Escape: () => app.forget(),
    };
    [...app.tabs.children].forEach((tab, index) => { actions[index + 1] = () => tab.click(); });
    const action = actions[event.key];
    if (!action) return;
    action();
    event.preventDefault();
  }
}
