"use strict";

const KINDS_OF_REQUIREMENTS = {
  "all requirements": () => true,
  "with a case that needs a look": (run, i) => run.checkers[i].some((place) => !run.isGood(place)),
  "checked by no case of this run": (run, i) => !run.checkers[i].length && run.requirements[i].status !== "not-testable",
};

/** Statements of the documents, each with the outcomes of the cases that check it. */
function requirementsPage(run, onFollow) {
  if (!run.requirements.length) return [make("p", {}, "No case of this run names a requirement.")];
  const tables = make("div", {});
  const fill = (kind) => tables.replaceChildren(...flat(requirementTables(run, KINDS_OF_REQUIREMENTS[kind], onFollow)));
  const choice = make("select", { id: "kind", change: (event) => fill(event.target.value) },
    Object.keys(KINDS_OF_REQUIREMENTS).map((kind) => make("option", {}, kind)));
  fill(choice.value);
  return [make("p", {}, make("label", {}, "show ", choice)), tables];
}

function requirementTables(run, wanted, onFollow) {
  const groups = new Map();
  run.requirements.forEach((entry, i) => {
    const operator = entry.id.split("/")[0];
    groups.set(operator, [...(groups.get(operator) || []), i]);
  });
  return [...groups].map(([operator, places]) => [
    make("h2", {}, operator),
    make("p", { class: "soft" }, coverageText(run, places)),
    table(["requirement", "statement", "status", "cases"],
      places.filter((i) => wanted(run, i)).map((i) => requirementRow(run, i, onFollow))),
  ]);
}

function coverageText(run, places) {
  return Object.entries(KINDS_OF_REQUIREMENTS)
    .map(([kind, wanted]) => `${places.filter((i) => wanted(run, i)).length} ${kind.replace("all ", "")}`).join(", ");
}

function requirementRow(run, i, onFollow) {
  const entry = run.requirements[i], checkers = run.checkers[i];
  const counts = run.outcomes.map((outcome) => [outcome.name, checkers.filter((place) => run.outcome(place) === outcome.name).length]);
  const found = counts.filter(([, count]) => count).map(([name, count]) => make("span", { class: `count ${name}` }, `${count} ${name}`));
  const follow = (event) => { event.preventDefault(); onFollow(entry.id); };
  return [
    make("a", { href: `#requirement/${entry.id}`, click: follow }, entry.id.split("/").slice(1).join("/")),
    [entry.text, entry.explanation && make("div", { class: "soft" }, entry.explanation)],
    entry.status, found.length ? found : "none",
  ];
}

/** How close each operator comes to each of its thresholds. */
function accuracyPage(run) {
  const groups = new Map();
  for (let place = 0; place < run.size; place += 1) {
    for (const output of run.cases.outputs[place]) {
      for (const measure of run.judged(output)) {
        const ratio = ratioOf(measure);
        if (Number.isNaN(ratio)) continue;
        const key = [run.text("operator", place), output.name, measure.name].join("\n");
        if (!groups.has(key)) groups.set(key, []);
        groups.get(key).push([ratio, place]);
      }
    }
  }
  const rows = [...groups].sort(([a], [b]) => a.localeCompare(b)).map(([key, found]) => accuracyRow(run, key.split("\n"), found));
  const page = table(["operator", "output", "measure", "", "closest#", "case"], rows);
  page.querySelectorAll("th")[3].append(gaugeAxis(360));
  return [make("p", { class: "soft" }, "Each strip has the cases of a measure by the part of the threshold that they reach, on a log scale; " +
    "exact results are at its left end."), rows.length ? page : make("p", {}, "Nothing was measured.")];
}

function accuracyRow(run, names, found) {
  const [ratio, place] = found.reduce((worst, entry) => (entry[0] > worst[0] ? entry : worst));
  const link = make("a", { href: `#case/${run.cases.id[place]}` }, run.cases.id[place]);
  return [...names, strip(found.map((entry) => entry[0])), times(ratio), link];
}

/** How fast the measured cases were. */
function timesPage(run) {
  const rows = run.times.rows.map(([id, ...cells]) => [make("a", { href: `#case/${id}` }, id), ...cells]);
  return [run.times.notes.map((note) => make("p", {}, note)), table(run.times.headers, rows)];
}

/** What the run was, on what, and where its time went. */
function runPage(run) {
  const header = run.run;
  const contradictions = Object.entries(header.contradictions || {});
  return [
    make("h2", {}, "run"),
    facts([["name", header.run], ["begun", header.started], ["command", make("code", {}, header.command.join(" "))],
      ["backend", header.backend], ["device", header.device], ["planned", String(header.planned)]]),
    make("h2", {}, "environment"),
    facts(flatten(run.environment)),
    make("h2", {}, "time"),
    facts(timeByKind(run)),
    make("h2", {}, "slowest cases"),
    table(["case", "time#"], slowest(run).map((place) =>
      [make("a", { href: `#case/${run.cases.id[place]}` }, run.cases.id[place]), seconds(run.totals[place])])),
    contradictions.length && [make("h2", {}, "judged by the library, which contradicts the document"),
      table(["requirement", "document", "library"], contradictions.map(([id, said]) => [id, said.document, said.library]))],
  ].filter(Boolean);
}

function flatten(values, prefix = "") {
  return Object.entries(values).flatMap(([name, value]) =>
    (value !== null && typeof value === "object" ? flatten(value, `${prefix}${name}.`) : [[prefix + name, value === null ? "-" : String(value)]]));
}

function timeByKind(run) {
  const sums = {};
  for (const times of run.cases.seconds || []) {
    for (const [name, value] of Object.entries(times)) sums[name] = (sums[name] || 0) + value;
  }
  return Object.entries(sums).map(([name, value]) => [name, seconds(value)]);
}

function slowest(run) {
  const places = Array.from({ length: run.size }, (_, place) => place);
  return places.sort((a, b) => run.totals[b] - run.totals[a]).slice(0, 10);
}
