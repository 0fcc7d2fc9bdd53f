// The pipeline: its steps with times, ops and changes, and how many lines of each belong to what is chosen or sought.

import { LEVELS } from "data";
import { h, number, seconds } from "dom";

export class Sidebar {
  constructor(app, element) {
    this.app = app;
    this.element = element;
    const { stages } = app.program;
    const slowest = Math.max(...stages.map((stage) => stage.seconds ?? 0), 1e-9);
    const idle = stages.filter((_, k) => !app.program.changes(k).any).length;
    const hide = h("input", { type: "checkbox", id: "hide-idle",
      onchange: (event) => element.classList.toggle("hide-idle", event.target.checked) });
    this.list = h("ol", {});
    element.append(h("label", { class: "hide" }, hide, `hide the ${idle} that change nothing`), this.list);
    let level = null;
    this.items = stages.map((stage, k) => {
      if (stage.level !== level) {
        level = stage.level;
        this.list.append(h("li", { class: "level" }, LEVELS[level]));
      }
      return this.item(stage, k, slowest);
    });
  }

  item(stage, k, slowest) {
    const { program } = this.app, { changed, added, removed, any } = program.changes(k);
    const delta = k ? stage.ops - program.stages[k - 1].ops : 0;
    const badge = h("span", { class: "badge" });
    const share = ((stage.seconds ?? 0) / slowest) * 100;
    const button = h("button", { type: "button", class: any ? "" : "idle", title: stage.reason,
      onclick: () => this.app.go(k), style: `--share: ${share.toFixed(1)}%` },
      h("span", { class: "name" }, stage.name), badge,
      h("span", { class: "time" }, seconds(stage.seconds)),
      any && h("span", { class: "ops" }, `${number(stage.ops)} ${stage.level > 6 ? "instructions" : "ops"}`, delta ? ` (${delta > 0 ? "+" : "−"}${number(Math.abs(delta))})` : ""),
      any && k > 0 && h("span", { class: "delta" }, h("i", { class: "changed" }, `~${number(changed)}`), " ",
        h("i", { class: "new" }, `+${number(added)}`), " ", h("i", { class: "gone" }, `−${number(removed)}`)));
    this.list.append(h("li", { class: any ? "" : "idle" }, button));
    return { button, badge };
  }

  show() {
    const { marks, query, program, stage } = this.app;
    const wanted = query && new Set(program.lines.flatMap((text, id) => (text.toLowerCase().includes(query) ? [id] : [])));
    this.items.forEach(({ button, badge }, k) => {
      const isCurrent = k === stage;
      button.setAttribute("aria-current", isCurrent ? "step" : "false");
      if (isCurrent) button.scrollIntoView({ block: "nearest" });
      const count = marks?.[k].size ?? 0;
      const guessed = count && [...marks[k].values()].every((kind) => kind === 3);
      const found = wanted ? program.at(k).ids.reduce((sum, id) => sum + wanted.has(id), 0) : 0;
      badge.replaceChildren(
        ...(count ? [h("span", { class: `traced ${guessed ? "guess" : "sure"}`,
          title: `${count} lines${guessed ? ", by a guess" : ""}` }, number(count))] : []),
        ...(found ? [h("span", { class: "found", title: `found ${found} times` }, number(found))] : []));
    });
  }
}
