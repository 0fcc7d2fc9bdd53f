// What is chosen, from the input to assembly: the steps at which its lines become others.

import { LEVELS } from "data";
import { h, number } from "dom";
import { spans, tokens } from "highlight";

const MOST_LINES = 8;

export class History {
  constructor(app, element) {
    this.app = app;
    this.element = element;
  }

  show() {
    const { chosen, marks, program } = this.app;
    document.body.classList.toggle("has-history", chosen !== null);
    this.element.hidden = chosen === null;
    if (chosen === null) return this.element.replaceChildren();
    const list = h("ol", {});
    let last = null, here = null;
    marks.forEach((lines, k) => {
      const ids = [...lines.keys()].sort((a, b) => a - b);
      const texts = ids.map((line) => program.at(k).ids[line]).join();
      if (!ids.length || (texts === last && k !== chosen.stage)) return;
      last = texts;
      const entry = this.entry(k, ids, lines);
      if (k === chosen.stage) (here = entry).classList.add("here");
      list.append(entry);
    });
    const text = program.text(chosen.stage, chosen.line).trim();
    this.element.replaceChildren(
      h("div", { class: "bar" }, h("span", {}, "Where it comes from, what it becomes: ", h("code", {}, text.slice(0, 160))),
        h("span", { class: "tools" }, h("span", { class: "legend" }, h("i", { class: "sure" }), "known ", h("i", { class: "guess" }), "guessed"),
          h("button", { type: "button", "aria-label": "Close", title: "close (Esc)", onclick: () => this.app.forget() }, "×"))),
      list);
    here?.scrollIntoView({ block: "nearest" });
  }

  entry(k, ids, kinds) {
    const { program } = this.app, stage = program.stages[k];
    const button = (line) => {
      const name = program.functionAt(k, line)?.name;
      return h("button", { type: "button", class: kinds.get(line) === 3 ? "guess" : "sure",
        title: `${stage.name}, line ${line + 1}${name ? `, in ${name}` : ""}${kinds.get(line) === 3 ? " (a guess)" : ""}`,
        onclick: () => this.app.go(k, line) },
        h("code", {}, spans(tokens(program.text(k, line).trim().slice(0, 240), stage.level === 8))));
    };
    const shown = ids.slice(0, MOST_LINES).map(button);
    const rest = ids.length - shown.length;
    const functions = [...new Set(ids.map((line) => program.functionAt(k, line)?.name).filter(Boolean))];
    return h("li", {},
      h("button", { type: "button", class: "stage", onclick: () => this.app.go(k, ids[0]) }, stage.name,
        h("small", {}, `${LEVELS[stage.level]}${functions.length ? ` · ${functions.slice(0, 4).join(", ")}` : ""}`)),
      h("div", { class: "lines" }, shown, rest > 0 && h("small", {}, `and ${number(rest)} more`)));
  }
}
