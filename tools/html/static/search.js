// Finding text in the lines of a step; the side shows how often it is in all others.

export class Search {
  constructor(app, form) {
    this.app = app;
    this.input = form.querySelector("input");
    this.output = form.querySelector("output");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.next(1);
    });
    this.input.addEventListener("input", () => this.find());
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.shiftKey) this.next(-1);
      else if (event.key === "Escape") {
        this.input.value = "";
        this.find();
        this.app.place.focus();
      } else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  find() {
    const query = this.input.value.trim().toLowerCase();
    this.app.find(query);
    const { program, stage } = this.app;
    const { ids } = program.at(stage);
    const count = query ? ids.reduce((sum, id) => sum + program.lines[id].toLowerCase().includes(query), 0) : 0;
    this.output.textContent = query ? `${count} here` : "";
  }

  next(by) {
    if (!this.app.query) return;
    if (this.app.current !== "passes") this.app.open("passes");
    this.app.panes.seek(by);
  }
}
