// The graph of ops, coloured by the kernels that they end in, and the graph of kernels.

import { h, hue, seconds, svg } from "dom";
import { HEIGHT, layered, WIDTH } from "layout";
import { forwardTo } from "trace";

export class Graphs {
  constructor(app) {
    this.app = app;
    const { graphs } = app.program;
    this.kernels = graphs.find((entry) => entry.name === "kernels");
    this.choice = h("select", { "aria-label": "Which graph", onchange: () => this.pick() });
    graphs.forEach((entry, n) => entry.graphs.forEach((graph, g) =>
      this.choice.append(h("option", { value: `${n}/${g}` }, `${entry.name} ${graph.name} (${graph.nodes.length})`))));
    this.withConstants = h("input", { type: "checkbox", onchange: () => this.pick() });
    this.legend = h("div", { class: "kernels" });
    const zoom = (by) => () => this.zoom(by);
    this.element = h("div", { class: "graph" },
      h("div", { class: "bar" }, this.choice, h("label", {}, this.withConstants, "constants"),
        h("span", { class: "tools" }, h("button", { type: "button", "aria-label": "Smaller", onclick: zoom(0.8) }, "−"),
          h("button", { type: "button", "aria-label": "Larger", onclick: zoom(1.25) }, "+"),
          h("button", { type: "button", onclick: () => this.fit() }, "all"))),
      this.canvas = h("div", { class: "canvas" }), this.legend);
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.canvas.addEventListener("pointerdown", (event) => this.drag(event));
    if (!graphs.length) this.canvas.append(h("p", { class: "empty" }, "There is no program on a level of tensors."));
    const wanted = graphs.findIndex((entry) => entry === this.kernels);
    if (wanted >= 0) this.choice.value = `${wanted}/0`;
  }

  show() {
    if (!this.graph && this.choice.options.length) this.pick();
    this.light();
    this.reveal();
  }

  // Scrolls to what is chosen if none of it is in sight.
  reveal() {
    const traced = this.elements?.filter((element) => element.classList.contains("traced")) ?? [];
    const around = this.canvas.getBoundingClientRect();
    const isSeen = (element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return right > around.left && left < around.right && bottom > around.top && top < around.bottom;
    };
    if (traced.length && !traced.some(isSeen)) traced[0].scrollIntoView({ block: "center", inline: "center" });
  }

  pick() {
    const [n, g] = this.choice.value.split("/").map(Number);
    this.entry = this.app.program.graphs[n];
    this.graph = this.entry.graphs[g];
    const isShown = (node) => this.withConstants.checked || node.kind !== "constant";
    const numbers = new Map();
    this.nodes = this.graph.nodes.filter((node, index) => isShown(node) && numbers.set(index, numbers.size));
    this.edges = this.graph.edges.filter(([from, to]) => numbers.has(from) && numbers.has(to))
      .map(([from, to]) => [numbers.get(from), numbers.get(to)]);
    this.places = layered(this.nodes.length, this.edges, (node) => ["argument", "constant"].includes(this.nodes[node].kind));
    this.colour();
    this.draw();
  }

  // The kernels that an op ends in: of a call its callee, of another op those where a line of it stands.
  kernelsOf(node) {
    if (node.callee) return [node.callee];
    if (!this.kernels || node.line < 0 || this.entry.stage > this.kernels.stage) return [];
    const lines = forwardTo(this.app.program, this.entry.stage, node.line, this.kernels.stage);
    const names = new Set();
    for (const line of lines.keys()) names.add(this.app.program.functionAt(this.kernels.stage, line)?.name);
    const main = this.kernels.graphs[0].name.slice(1);
    return [...names].filter((name) => name && name !== main);
  }

  colour() {
    const { profile } = this.app.program;
    const slowest = Math.max(...Object.values(profile), 0);
    this.owners = this.nodes.map((node) => this.kernelsOf(node));
    const counts = new Map();
    for (const [name] of this.owners) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
    this.paint = (name) => !name ? "var(--node)"
      : slowest ? `color-mix(in srgb, var(--hot) ${Math.round(((profile[name] ?? 0) / slowest) * 90)}%, var(--node))`
      : `hsl(${hue(name)} var(--node-saturation) var(--node-lightness))`;
    const entries = [...counts].sort((a, b) => (profile[b[0]] ?? 0) - (profile[a[0]] ?? 0) || b[1] - a[1]);
    this.legend.replaceChildren(h("h2", {}, `${entries.length} kernels`), h("ul", {}, entries.map(([name, count]) =>
      h("li", {}, h("button", { type: "button", onclick: () => this.ring(name), onmouseenter: () => this.ring(name),
        onmouseleave: () => this.ring(null) },
        h("i", { style: `background: ${this.paint(name)}` }), name,
        h("small", {}, [count > 1 ? `×${count}` : "", seconds(profile[name])].filter(Boolean).join(" · ")))))));
  }

  draw() {
    const { x, y, width, height } = this.places;
    this.picture = svg("svg", { width, height, role: "application", "aria-label": `Graph of ${this.graph.name}` });
    const lines = svg("g", { class: "edges" });
    this.edgeElements = this.edges.map(([from, to]) => {
      const start = y[from] + HEIGHT / 2, end = y[to] - HEIGHT / 2, bend = Math.max(20, (end - start) / 2);
      const path = svg("path", { d: `M${x[from]},${start} C${x[from]},${start + bend} ${x[to]},${end - bend} ${x[to]},${end}` });
      lines.append(path);
      return path;
    });
    this.elements = this.nodes.map((node, number) => {
      const [owner] = this.owners[number], { profile } = this.app.program;
      const time = node.callee && profile[node.callee] !== undefined ? ` · ${seconds(profile[node.callee])}` : "";
      const label = `${node.label} ${node.detail}${owner && !node.callee ? `, in ${this.owners[number].join(", ")}` : ""}${time}`;
      return svg("g", { class: `node ${node.kind === "argument" ? "argument" : ""}`, tabindex: number ? -1 : 0, role: "button",
        "aria-label": label, transform: `translate(${x[number] - WIDTH / 2},${y[number] - HEIGHT / 2})`,
        onclick: () => this.choose(number), onkeydown: (event) => this.key(event, number) },
        svg("title", {}, label),
        svg("rect", { width: WIDTH, height: HEIGHT, rx: 6, style: `fill: ${this.paint(owner)}` }),
        svg("text", { x: 8, y: 15 }, short(node.label + time, 25), node.graph >= 0 ? " ▸" : ""),
        svg("text", { x: 8, y: 28, class: "detail" }, short(node.detail, 25)));
    });
    this.picture.append(lines, ...this.elements);
    this.canvas.replaceChildren(this.picture);
    this.scale = 1;
    this.canvas.scrollLeft = (width - this.canvas.clientWidth) / 2;
    this.canvas.scrollTop = 0;
    this.light();
  }

  choose(number) {
    const node = this.nodes[number];
    if (this.app.chosen?.line === node.line && this.app.chosen.stage === this.entry.stage && node.graph >= 0) return this.enter(node);
    if (node.line >= 0) this.app.choose(this.entry.stage, node.line);
  }

  enter(node) {
    this.choice.value = `${this.choice.value.split("/")[0]}/${node.graph}`;
    this.pick();
  }

  key(event, number) {
    const beside = (by) => {
      const layer = this.places.layers.find((nodes) => nodes.includes(number));
      return layer[layer.indexOf(number) + by];
    };
    const next = {
      ArrowDown: () => this.edges.find(([from]) => from === number)?.[1],
      ArrowUp: () => this.edges.find(([, to]) => to === number)?.[0],
      ArrowLeft: () => beside(-1), ArrowRight: () => beside(1),
    }[event.key];
    if (event.key === "Enter") this.choose(number);
    else if (event.key === "g" && this.nodes[number].line >= 0) this.app.go(this.entry.stage, this.nodes[number].line);
    else if (next) {
      const target = next();
      if (target !== undefined) {
        this.elements[number].tabIndex = -1;
        this.elements[target].tabIndex = 0;
        this.elements[target].focus();
      }
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Nodes that belong to what is chosen.
  light() {
    const lines = this.app.marks?.[this.entry?.stage];
    this.elements?.forEach((element, number) => element.classList.toggle("traced", Boolean(lines?.has(this.nodes[number].line))));
    this.edgeElements?.forEach((path, number) => path.classList.toggle("traced",
      Boolean(lines?.size) && this.edges[number].some((node) => lines.has(this.nodes[node].line))));
  }

  ring(name) {
    this.elements.forEach((element, number) => element.classList.toggle("faint", name !== null && !this.owners[number].includes(name)));
  }

  zoom(by, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2) {
    if (!this.picture) return;
    const scale = Math.min(3, Math.max(0.03, this.scale * by)), { canvas } = this;
    const [left, top] = [(canvas.scrollLeft + x) / this.scale, (canvas.scrollTop + y) / this.scale];
    this.scale = scale;
    this.picture.setAttribute("width", this.places.width * scale);
    this.picture.setAttribute("height", this.places.height * scale);
    this.picture.setAttribute("viewBox", `0 0 ${this.places.width} ${this.places.height}`);
    canvas.scrollLeft = left * scale - x;
    canvas.scrollTop = top * scale - y;
  }

  fit() {
    const { clientWidth, clientHeight } = this.canvas;
    this.zoom(Math.min(clientWidth / this.places.width, clientHeight / this.places.height) / this.scale);
  }

  wheel(event) {
    if (!event.ctrlKey) return; // without it the page scrolls
    event.preventDefault();
    const { left, top } = this.canvas.getBoundingClientRect();
    this.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.clientX - left, event.clientY - top);
  }

  drag(event) {
    if (event.target.closest(".node") || event.button) return;
    const move = (next) => {
      this.canvas.scrollLeft -= next.movementX;
      this.canvas.scrollTop -= next.movementY;
    };
    const end = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
  }
}

const short = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
