"use strict";

const ROW_HEIGHT = 48;  // of a row whose id has one line
const LINE_HEIGHT = 20;  // of each more line of an id
const ROW_PADDING = 10;  // left and right
const ORDERS = {
  "what needs a look first": (run) => (a, b) => byRank(run.ranks[a], run.ranks[b]) || run.cases.outcome[a] - run.cases.outcome[b] || byText(run.cases.id[a], run.cases.id[b]),
  "closest to a threshold first": (run) => (a, b) => byNumber(run.ratios[a], run.ratios[b]) || a - b,
  "slowest first": (run) => (a, b) => run.totals[b] - run.totals[a] || a - b,
  "as they ran": () => (a, b) => a - b,
};

/** Larger first, NaN last. */
function byNumber(a, b) {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
  return a === b ? 0 : b - a;
}

/** Smaller first; what has no rank is last. */
function byRank(a, b) {
  return a === b ? 0 : a - b;
}

function byText(a, b) {
  return a < b ? -1 : Number(a > b);
}

/** The cases that the filters leave, of which only the rows in view are in the document. */
class CaseList {
  constructor(run, onPick, onFilter) {
    this.run = run;
    this.onPick = onPick;
    this.onFilter = onFilter;
    this.outcomes = new Set();
    this.cause = -1;  // the only one whose cases are shown, if it is one
    this.places = [];
    this.tops = [0];
    this.width = -1;
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
    this.makeCauses();
    byId("operator").replaceChildren(...["all", ...operators].map((name) => make("option", {}, name)));
    byId("order").replaceChildren(...Object.keys(ORDERS).map((name) => make("option", {}, name)));
    byId("query").addEventListener("input", () => this.filter());
    for (const id of ["operator", "order"]) byId(id).addEventListener("change", () => this.filter());
    byId("filters").addEventListener("submit", (event) => event.preventDefault());
  }

  /** A line for each cause, where cases have one in common; it leaves its cases alone in the list. */
  makeCauses() {
    const causes = this.run.causes, count = causes.reduce((sum, cause) => sum + cause.cases.length, 0);
    byId("causes").hidden = causes.length === count;
    byId("causes-title").textContent = `${plural(count, "bad case")} with ${plural(causes.length, "cause")}`;
    byId("causes-list").replaceChildren(...causes.map((cause, i) => make("button", {
      type: "button", class: "cause", "aria-pressed": "false", click: () => this.choose(i === this.cause ? -1 : i),
    }, make("span", { class: "number" }, String(cause.cases.length)), badge(this.run.outcomes[cause.outcome].name),
    make("span", {}, make("b", {}, cause.operator), ` ${cause.what}`))));
  }

  choose(cause) {
    this.cause = cause;
    [...byId("causes-list").children].forEach((line, i) => line.setAttribute("aria-pressed", String(i === cause)));
    this.filter();
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
    this.choose(-1);
  }

  filter() {
    const words = byId("query").value.toLowerCase().split(/\s+/).filter(Boolean);
    const operator = byId("operator").value, run = this.run;
    const wanted = (place) =>
      (this.cause < 0 || run.causes[this.cause].cases.includes(place)) &&
      (!this.outcomes.size || this.outcomes.has(run.outcome(place))) &&
      (operator === "all" || run.text("operator", place) === operator) &&
      words.every((word) => run.haystack(place).includes(word));
    this.places = Array.from({ length: run.size }, (_, place) => place).filter(wanted);
    this.places.sort(ORDERS[byId("order").value](run));
    byId("count").textContent = `${this.places.length} of ${plural(run.size, "case")}`;
    this.layOut();
    this.box.scrollTop = 0;
    this.drawRows();
    this.onFilter();
  }

  /** Where each row begins: ids are wrapped, never cut, and so rows are as high as their ids need. */
  layOut() {
    this.width = this.box.clientWidth;
    const lines = linesOf(this.width - 2 * ROW_PADDING, getComputedStyle(this.box));
    this.tops = [0];
    this.places.forEach((place, i) => {
      this.tops.push(this.tops[i] + ROW_HEIGHT + LINE_HEIGHT * (lines(this.name(place)) - 1));
    });
    this.space.style.height = `${this.tops[this.places.length]}px`;
  }

  /** The position of the row at a height. */
  positionAt(height) {
    let low = 0, high = this.places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.tops[middle + 1] <= height) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  drawRows() {
    if (this.width !== this.box.clientWidth) this.layOut();
    const first = Math.max(0, this.positionAt(this.box.scrollTop) - 5);
    const last = Math.min(this.places.length, this.positionAt(this.box.scrollTop + this.box.clientHeight) + 6);
    const rows = this.places.slice(first, last).map((place, i) => this.row(place, first + i));
    this.space.replaceChildren(...(rows.length ? rows : [make("p", { class: "empty" }, "No case is left by these filters.")]));
    this.box.setAttribute("aria-activedescendant", this.picked >= 0 ? `case-${this.picked}` : "");
  }

  /** The id without its operator, which stands in the row's other line. */
  name(place) {
    const operator = this.run.text("operator", place), id = this.run.cases.id[place];
    return id.startsWith(`${operator}/`) ? id.slice(operator.length + 1) : id;
  }

  row(place, position) {
    const run = this.run, operator = run.text("operator", place), id = run.cases.id[place];
    const about = run.text("reason", place) || seconds(run.totals[place]);
    return make("div", {
      class: "row", role: "option", id: `case-${place}`, "aria-selected": String(place === this.picked), title: id,
      "aria-setsize": this.places.length, "aria-posinset": position + 1,
      style: `top: ${this.tops[position]}px; height: ${this.tops[position + 1] - this.tops[position]}px`,
      click: () => this.onPick(place),
    },
    badge(run.outcome(place)), make("div", { class: "name" }, this.name(place)),
    make("div", { class: "about" }, `${operator}: ${about}`),
    make("div", { class: "soft", title: "worst measure / threshold" }, times(run.ratios[place])));
  }

  /** Mark a case as the one that is shown, and bring it into view. */
  mark(place) {
    this.picked = place;
    if (this.width !== this.box.clientWidth) this.layOut();
    const position = this.places.indexOf(place), top = this.tops[position];
    if (position >= 0) {
      if (top < this.box.scrollTop) this.box.scrollTop = top;
      const below = this.tops[position + 1] - this.box.clientHeight;
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

/** Tells how many lines of a width a text has at most, if it may be broken anywhere. */
function linesOf(width, style) {
  const brush = document.createElement("canvas").getContext("2d");
  brush.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const filled = width - brush.measureText("W").width;  // what does not fit is one sign at most
  return (text) => (filled > 0 ? Math.max(1, Math.ceil(brush.measureText(text).width / filled)) : 1);
}
