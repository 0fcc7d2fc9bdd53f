// A list of which only the rows that can be seen are in the page.

export const ROW = 18; // pixels; as in style.css
const AROUND = 12; // rows beyond the edges

export class List {
  // `render(row)` makes the element of a row; `onscroll` is told of each scrolling.
  constructor(element, render, onscroll) {
    this.element = element;
    this.render = render;
    this.body = document.createElement("div");
    this.body.className = "rows";
    element.append(this.body);
    this.count = 0;
    this.shown = new Map();
    element.addEventListener("scroll", () => {
      this.draw();
      onscroll?.(element);
    }, { passive: true });
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(element);
  }

  reset(count, characters) {
    this.count = count;
    this.body.style.height = `${count * ROW}px`;
    this.body.style.minWidth = `calc(${characters + 10}ch)`;
    this.redraw();
  }

  redraw() {
    for (const row of this.shown.values()) row.remove();
    this.shown.clear();
    this.draw();
  }

  draw() {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / ROW) - AROUND);
    const last = Math.min(this.count, Math.ceil((scrollTop + clientHeight) / ROW) + AROUND);
    for (const [number, row] of this.shown)
      if (number < first || number >= last) {
        row.remove();
        this.shown.delete(number);
      }
    for (let number = first; number < last; number++) {
      if (this.shown.has(number)) continue;
      const row = this.render(number);
      row.style.top = `${number * ROW}px`;
      this.shown.set(number, row);
      this.body.append(row);
    }
  }

  // Scrolls as little as is needed for the row to be seen, or to the middle.
  reveal(number, toMiddle) {
    const top = number * ROW, { scrollTop, clientHeight } = this.element;
    if (!toMiddle && top >= scrollTop + ROW && top + 2 * ROW <= scrollTop + clientHeight) return;
    this.element.scrollTop = Math.max(0, top - clientHeight / (toMiddle ? 2.5 : 2));
  }
}
