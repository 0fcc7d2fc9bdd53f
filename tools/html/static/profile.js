// Where the time goes: of the run, if there is a profile, by kernel; of the compilation by step.

import { h, seconds } from "dom";

export class Profile {
  constructor(app) {
    this.app = app;
    const { profile, stages } = app.program;
    const kernels = Object.entries(profile).sort((a, b) => b[1] - a[1]);
    const steps = stages.flatMap((stage, k) => (stage.seconds === null ? [] : [[stage.name, stage.seconds, k]])).sort((a, b) => b[1] - a[1]);
    this.element = h("div", { class: "times" },
      kernels.length ? table("Running, by kernel", "kernel", kernels, ([name]) => this.open(name))
        : h("p", { class: "empty" }, "No profile was given: --html-profile FILE takes a JSON object with the seconds of each kernel."),
      table("Compiling, by step", "step", steps, ([, , k]) => app.go(k)));
  }

  show() {}

  // The last step in which a kernel has a function of its own on the levels of kernels and buffers.
  open(name) {
    const { program } = this.app;
    for (let k = program.stages.length - 1; k >= 0; k--) {
      const found = program.stages[k].level <= 4 && program.functions(k).find((entry) => entry.name === name);
      if (found) return this.app.go(k, found.line);
    }
  }
}

function table(caption, label, rows, open) {
  const total = rows.reduce((sum, [, value]) => sum + value, 0), most = rows[0]?.[1] || 1;
  return h("table", {}, h("caption", {}, `${caption}: ${seconds(total)}`),
    h("thead", {}, h("tr", {}, [label, "time", "share", ""].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, rows.map((row) => h("tr", {},
      h("td", {}, h("button", { type: "button", class: "link", onclick: () => open(row) }, row[0])),
      h("td", { class: "right" }, seconds(row[1])), h("td", { class: "right" }, `${((row[1] / (total || 1)) * 100).toFixed(1)} %`),
      h("td", { class: "share" }, h("span", { style: `width: ${(row[1] / most) * 100}%` }))))));
}
