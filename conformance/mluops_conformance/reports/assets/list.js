"use strict";

const ROW_HEIGHT = 48;
const ORDERS = {
  "what needs a look first": (run) => (a, b) => run.cases.outcome[a] - run.cases.outcome[b] || a - b,
  "closest to a threshold first": (run) => (a, b) => byNumber(run.ratios[a], run.ratios[b]) || a - b,
  "slowest first": (run) => (a, b) => run.totals[b] - run.totals[a] || a - b,
  "as they ran": () => (a, b) => a - b,
};

/** Larger first, NaN last. */
function byNumber(a, b) {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
  return a === b ? 0 : b - a;
}

/** The cases that the filters leave, of which only the rows in view are in the document. */
class CaseList {
  constructor(run, onPick, onFilter) {
    this.run = run;
    this.onPick = onPick;
    this.onFilter = onFilter;
    this.outcomes = new Set();
    this.places = [];
    this.picked = -1;
    this.box = byId("list");
    this.space = byId("space");
    this.makeFilters();
    this.box.addEventListener("scroll", () => requestAnimationFrame(() => this.drawRows()));
    this.box.addEventListener("keydown", (event) => this.onKey(event));
    window.addEventListener("resize", () => this.drawRows());
  }

  makeFilters() {
    const counts = this.run.outcomes.map(() => 0);
    (this.run.cases.outcome || []).forEach((outcome) => { counts[outcome] += 1; });
    byId("chips").replaceChildren(...this.run.outcomes.filter((_, i) => counts[i]).map((outcome) => make("button", {
      type: "button", class: `chip ${outcome.name}`, title: outcome.help, "aria-pressed": "false",
      "data-outcome": outcome.name, click: (event) => this.toggle(outcome.name, event.currentTarget),
    }, make("span", {}, `${counts[this.run.outcomes.indexOf(outcome)]} ${outcome.name}`))));
    const operators = [...new Set(this.run.cases.operator || [])].map((place) => this.run.texts[place]);
    byId("operator").replaceChildren(...["all", ...operators].map((name) => make("option", {}, name)));
    byId("order").replaceChildren(...Object.keys(ORDERS).map((name) => make("option", {}, name)));
    byId("query").addEventListener("input", () => this.filter());
    for (const id of ["operator", "order"]) byId(id).addEventListener("change", () => this.filter());
    byId("filters").addEventListener("submit", (event) => event.preventDefault());
  }

  toggle(outcome, chip) {
    if (!this.outcomes.delete(outcome)) this.outcomes.add(outcome);
    chip.setAttribute("aria-pressed", String(this.outcomes.has(outcome)));
    this.filter();
  }

  /** Show the cases with all of these words, and nothing else filtered. */
  search(words) {
    this.outcomes.clear();
    for (const chip of byId("chips").children) chip.setAttribute("aria-pressed", "false");
    byId("operator").value = "all";
    byId("query").value = words;
    this.filter();
  }

  filter() {
    const words = byId("query").value.toLowerCase().split(/\s+/).filter(Boolean);
    const operator = byId("operator").value, run = this.run;
    const wanted = (place) =>
      (!this.outcomes.size || this.outcomes.has(run.outcome(place))) &&
      (operator === "all" || run.text("operator", place) === operator) &&
      words.every((word) => run.haystack(place).includes(word));
    this.places = Array.from({ length: run.size }, (_, place) => place).filter(wanted);
    this.places.sort(ORDERS[byId("order").value](run));
    byId("count").textContent = `${this.places.length} of ${plural(run.size, "case")}`;
    this.space.style.height = `${this.places.length * ROW_HEIGHT}px`;
    this.box.scrollTop = 0;
    this.drawRows();
    this.onFilter();
  }

  drawRows() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW_HEIGHT) - 5);
    const last = Math.min(this.places.length, first + Math.ceil(this.box.clientHeight / ROW_HEIGHT) + 10);
    const rows = this.places.slice(first, last).map((place, i) => this.row(place, first + i));
    this.space.replaceChildren(...(rows.length ? rows : [make("p", { class: "empty" }, "No case is left by these filters.")]));
    this.box.setAttribute("aria-activedescendant", this.picked >= 0 ? `case-${this.picked}` : "");
  }

  row(place, position) {
    const run = this.run, operator = run.text("operator", place), id = run.cases.id[place];
    const name = id.startsWith(`${operator}/`) ? id.slice(operator.length + 1) : id;
    const about = run.text("reason", place) || seconds(run.totals[place]);
    return make("div", {
      class: "row", role: "option", id: `case-${place}`, "aria-selected": String(place === this.picked), title: id,
      "aria-setsize": this.places.length, "aria-posinset": position + 1,
      style: `top: ${position * ROW_HEIGHT}px`, click: () => this.onPick(place),
    },
    make("div", { class: "first" }, badge(run.outcome(place)), make("span", { class: "name" }, name),
      make("span", { class: "soft", title: "worst measure / threshold" }, times(run.ratios[place]))),
    make("div", { class: "second" }, `${operator}: ${about}`));
  }

  /** Mark a case as the one that is shown, and bring it into view. */
  mark(place) {
    this.picked = place;
    const position = this.places.indexOf(place), top = position * ROW_HEIGHT;
    if (position >= 0) {
      if (top < this.box.scrollTop) this.box.scrollTop = top;
      const below = top + ROW_HEIGHT - this.box.clientHeight;
      if (below > this.box.scrollTop) this.box.scrollTop = below;
    }
    this.drawRows();
  }

  onKey(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / ROW_HEIGHT) - 1);
    const steps = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (!(event.key in steps) || !this.places.length) return;
    event.preventDefault();
    const from = this.places.indexOf(this.picked);
    const to = Math.min(Math.max(from + steps[event.key], 0), this.places.length - 1);
    this.onPick(this.places[to]);
  }
}
