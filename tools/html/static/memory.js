// The arena: buffers against the order of the program.

import { bytes, h, hue, number, svg } from "dom";

const LEFT = 84, TOP = 120, HEIGHT = 460, LEAST = 14; // pixels: of the axes, of the arena, of a step

export class Memory {
  constructor(app) {
    this.app = app;
    this.plan = app.program.memory;
    this.element = h("div", { class: "memory" });
    if (!this.plan) this.element.append(h("p", { class: "empty" }, "No pass of this pipeline has assigned an arena, or the program needs none."));
    else this.build();
  }

  show() {
    const lines = this.plan && this.app.marks?.[this.plan.stage];
    this.rectangles?.forEach((element, n) => element.classList.toggle("traced", Boolean(lines?.has(this.plan.buffers[n].line))));
  }

  build() {
    const { plan } = this, { buffers, steps } = plan;
    this.live = steps.map((_, step) => buffers.filter((buffer) => buffer.first <= step && step <= buffer.last));
    const sums = this.live.map((all) => all.reduce((sum, buffer) => sum + buffer.bytes, 0));
    const peak = sums.indexOf(Math.max(...sums));
    const total = buffers.reduce((sum, buffer) => sum + buffer.bytes, 0);
    const around = plan.inputs.reduce((sum, [, size]) => sum + size, 0);
    this.status = h("p", { class: "status", "aria-live": "polite" });
    this.element.append(
      h("div", { class: "bar" }, h("span", {}, h("b", {}, bytes(plan.bytes)), ` arena for ${number(buffers.length)} buffers of `,
        h("b", {}, bytes(total)), ` together; arguments and results are ${bytes(around)} more. Most is held at `,
        steps.length ? h("button", { type: "button", class: "link", onclick: () => this.app.go(plan.stage, steps[peak].line) },
          `step ${peak + 1}, ${steps[peak].label}`) : "no step", steps.length ? `: ${bytes(sums[peak])}.` : ".")),
      this.status, h("div", { class: "chart" }, this.picture(sums)), this.table());
    this.tell(null);
  }

  picture(sums) {
    const { plan } = this, { buffers, steps } = plan;
    const step = Math.max(LEAST, Math.min(60, 1100 / Math.max(1, steps.length)));
    const width = LEFT + step * steps.length + 20, across = (at) => LEFT + at * step;
    const down = (offset) => TOP + (offset / plan.bytes) * HEIGHT;
    const picture = svg("svg", { width, height: TOP + HEIGHT + 90, role: "img", "aria-label": "Offsets in the arena, from top to bottom, against steps of the program, from left to right; the table below says the same" });
    for (let part = 0; part <= 4; part++) {
      const y = down((plan.bytes * part) / 4);
      picture.append(svg("line", { class: "grid", x1: LEFT, x2: width, y1: y, y2: y }),
        svg("text", { class: "axis", x: LEFT - 8, y: y + 4, "text-anchor": "end" }, bytes((plan.bytes * part) / 4)));
    }
    steps.forEach((entry, at) => picture.append(svg("text", { class: "axis step", transform: `translate(${across(at) + step / 2 + 4},${TOP - 6}) rotate(-60)`,
      onclick: () => this.app.go(plan.stage, entry.line) }, entry.label)));
    this.rectangles = buffers.map((buffer) => {
      const top = down(buffer.offset), height = Math.max(1.5, down(buffer.offset + buffer.bytes) - top);
      const span = step * (buffer.last - buffer.first + 1);
      const rectangle = svg("rect", { class: "buffer", x: across(buffer.first) + 0.5, y: top, width: span - 1, height, rx: Math.min(3, height / 3),
        style: `fill: hsl(${hue(buffer.name + buffer.type)} var(--node-saturation) var(--node-lightness))`,
        onclick: () => this.app.choose(plan.stage, buffer.line), onmouseenter: () => this.tell(buffer) }, svg("title", {}, this.words(buffer)));
      picture.append(rectangle);
      if (height > 13 && span > 70)
        picture.append(svg("text", { class: "inside", x: across(buffer.first) + 5, y: top + height / 2 + 4 }, `${buffer.name} ${bytes(buffer.bytes)}`));
      return rectangle;
    });
    const most = Math.max(...sums, 1), base = TOP + HEIGHT + 70;
    const points = sums.flatMap((sum, at) => [`${across(at)},${base - (sum / most) * 50}`, `${across(at + 1)},${base - (sum / most) * 50}`]);
    if (points.length)
      picture.append(svg("polygon", { class: "live", points: `${across(0)},${base} ${points.join(" ")} ${across(sums.length)},${base}` }),
        svg("text", { class: "axis", x: LEFT - 8, y: base - 22, "text-anchor": "end" }, "held"));
    return picture;
  }

  words(buffer) {
    const { steps } = this.plan;
    const label = (at) => `${at + 1}${steps[at] ? ` ${steps[at].label}` : ""}`;
    return `${buffer.name}: ${buffer.type}, ${bytes(buffer.bytes)} at ${number(buffer.offset)}, from step ${label(buffer.first)} to ${label(buffer.last)}`;
  }

  tell(buffer) {
    this.status.textContent = buffer ? this.words(buffer) : "Point at a buffer; a click shows where it comes from.";
  }

  table() {
    const { plan } = this;
    const rows = [...plan.buffers].sort((a, b) => b.bytes - a.bytes);
    const step = (at) => `${at + 1} ${plan.steps[at]?.label ?? ""}`;
    return h("table", {}, h("caption", {}, "Buffers by size"),
      h("thead", {}, h("tr", {}, ["buffer", "bytes", "offset", "type", "from step", "to step"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, rows.map((buffer) => h("tr", {},
        h("td", {}, h("button", { type: "button", class: "link", onclick: () => this.app.go(plan.stage, buffer.line) }, buffer.name)),
        h("td", { class: "right" }, number(buffer.bytes)), h("td", { class: "right" }, number(buffer.offset)), h("td", {}, buffer.type),
        h("td", {}, step(buffer.first)), h("td", {}, step(buffer.last))))));
  }
}
