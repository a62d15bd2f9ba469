"use strict";

const PAGES = { cases: "Cases", requirements: "Requirements", accuracy: "Accuracy", times: "Times", run: "Run" };

/** The address after "#" says what is shown: a page, "case/ID" or "requirement/ID". */
class App {
  constructor(run) {
    this.run = run;
    this.drawn = new Set();
    this.head();
    this.list = new CaseList(run, (place) => this.go(`case/${run.cases.id[place]}`), () => this.keepInView());
    this.list.filter();
    window.addEventListener("hashchange", () => this.show());
    window.addEventListener("beforeprint", () => this.print());
    document.addEventListener("keydown", (event) => this.onKey(event));
    this.show();
  }

  head() {
    const { run } = this.run;
    byId("title").textContent = `Conformance run ${run.run}`;
    byId("verdict").textContent = run.summary;
    byId("verdict").classList.add(run.exit_code === 0 ? "good" : "bad");
    const cautions = run.caution ? [run.caution] : [];
    byId("notices").replaceChildren(...[...cautions, ...run.problems].map((text) => make("p", { class: "notice" }, text)));
    const pages = Object.entries(PAGES).filter(([id]) => id !== "times" || this.run.times.rows.length);
    byId("tabs").replaceChildren(...pages.map(([id, title]) => make("a", { href: `#${id}`, "data-page": id }, title)));
    byId("tabs").hidden = false;
  }

  go(address) {
    if (decodeURIComponent(location.hash.slice(1)) === address) this.show();
    else location.hash = encodeURI(address);
  }

  show() {
    const [page, ...rest] = decodeURIComponent(location.hash.slice(1)).split("/");
    const name = rest.join("/");
    if (page === "requirement") this.follow(name);
    else if (page === "case") this.open("cases", this.run.placeOf.get(name));
    else this.open(page in PAGES ? page : "cases");
  }

  /** The cases that check a requirement. */
  follow(requirement) {
    this.list.search(requirement);
    this.open("cases", this.list.places[0]);
  }

  open(page, place) {
    for (const id of Object.keys(PAGES)) byId(id).hidden = id !== page;
    for (const tab of byId("tabs").children) {
      tab.toggleAttribute("aria-current", tab.dataset.page === page);
    }
    if (page === "cases") this.pick(place ?? (this.list.picked >= 0 ? this.list.picked : this.list.places[0]));
    else this.drawOnce(page);
  }

  /** After filtering, show a case that is left, where the one shown is not. */
  keepInView() {
    if (this.list && this.list.places.length && !this.list.places.includes(this.list.picked)) this.pick(this.list.places[0]);
  }

  pick(place) {
    if (place === undefined) return;
    byId("detail").replaceChildren(...flat(caseDetail(this.run, place)));
    this.list.mark(place);
  }

  drawOnce(page) {
    if (this.drawn.has(page)) return;
    this.drawn.add(page);
    const pages = { requirements: requirementsPage, accuracy: accuracyPage, times: timesPage, run: runPage };
    byId(page).replaceChildren(...flat(pages[page](this.run, (id) => this.go(`requirement/${id}`))));
  }

  /** On paper stand the cases that need a look, and counts of the rest. */
  print() {
    const limit = 100, places = this.list.places.filter((place) => !this.run.isGood(place));
    const articles = places.slice(0, limit).map((place) => make("article", {}, flat(caseDetail(this.run, place))));
    const left = places.length > limit ? make("p", {}, `and ${places.length - limit} more that need a look`) : "";
    byId("print").replaceChildren(...articles, left);
  }

  onKey(event) {
    const typing = event.target.matches("input, select, textarea");
    if (event.key === "/" && !typing) {
      event.preventDefault();
      byId("query").focus();
    } else if (event.key === "Escape" && typing) {
      byId("list").focus();
    }
  }
}

function flat(children) {
  return children.flat(5).filter((child) => child !== undefined && child !== null && child !== "" && child !== false);
}

Run.decode(byId("data").textContent).then((run) => {
  byId("plain").remove();
  window.app = new App(run);
}).catch((error) => {
  byId("notices").append(make("p", { class: "notice" }, `The cases could not be unpacked (${error.message}); this is the text report.`));
}).finally(() => document.documentElement.classList.remove("unpacking"));
