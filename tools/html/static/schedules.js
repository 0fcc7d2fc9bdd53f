// How each kernel is computed: its schedule, as a tree of loops.

import { h, seconds } from "dom";
import { spans, tokens } from "highlight";

export class Schedules {
  constructor(app) {
    this.app = app;
    const { schedules, profile } = app.program;
    this.element = h("div", { class: "schedules" });
    if (!schedules.length) {
      this.element.append(h("p", { class: "empty" }, "No kernel of this program has a schedule."));
      return;
    }
    this.list = h("ul", { "aria-label": "Kernels" });
    this.text = h("div", { class: "text", tabindex: 0, "aria-live": "polite" });
    this.buttons = schedules.map((schedule, n) => {
      const notes = [schedule.calls === 1 ? "" : `${schedule.calls} calls`, seconds(profile[schedule.kernel])].filter(Boolean);
      const button = h("button", { type: "button", onclick: () => this.pick(n) }, schedule.kernel, h("small", {}, notes.join(" · ")));
      this.list.append(h("li", {}, button));
      return button;
    });
    this.element.append(h("nav", { "aria-label": "Kernels" }, this.list), this.text);
    this.pick(0);
  }

  // The kernel of what is chosen, if there is one.
  show() {
    const { schedules } = this.app.program;
    const wanted = schedules.findIndex(({ stage, kernel }) => {
      const lines = this.app.marks?.[stage];
      return lines?.size && [...lines.keys()].some((line) => this.app.program.functionAt(stage, line)?.name === kernel);
    });
    if (wanted >= 0 && this.buttons) this.pick(wanted);
  }

  pick(n) {
    const schedule = this.app.program.schedules[n];
    this.buttons.forEach((button, number) => button.setAttribute("aria-current", number === n));
    this.buttons[n].scrollIntoView({ block: "nearest" });
    const lines = schedule.text.split("\n").filter(Boolean).map((line) => {
      const depth = (line.length - line.trimStart().length) / 2;
      return h("div", { class: "tree", style: `--depth: ${depth}` }, spans(tokens(line.trimStart())));
    });
    this.text.replaceChildren(
      h("div", { class: "bar" }, h("b", {}, schedule.kernel),
        h("button", { type: "button", onclick: () => this.app.go(schedule.stage, schedule.line) }, "its ops"),
        h("button", { type: "button", onclick: () => this.app.choose(schedule.stage, schedule.line) }, "what becomes of it")),
      h("code", {}, lines));
  }
}
