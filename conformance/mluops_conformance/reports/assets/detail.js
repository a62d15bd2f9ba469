"use strict";

/** Everything about one case. */
function caseDetail(run, place) {
  const outcome = run.outcome(place), reasons = sentences(run.text("reason", place));
  return [
    make("h2", {}, badge(outcome), " ", breakable(run.cases.id[place])),
    make("ul", { class: `reasons ${run.isGood(place) ? "" : outcome}` }, reasons.map((reason) => make("li", {}, reason))),
    repeatLine(run.repro(place)),
    facts([
      ["changed", run.text("changed", place)], ["also", alike(run, place)],
      ["place", run.text("origin", place)], ["seed", String(run.cases.seed[place])],
      ["sizes", sizes(run.cases.sizes[place])],
      ["known issue", run.text("issue", place)],
      ["data", run.text("artefact", place) || run.text("left_out", place)], ["time", timeOf(run, place)], ...measuredTimes(run, place), ["notes", notes(run.cases.notes[place])],
    ]),
    run.text("log", place) && [make("h3", {}, "end of the native log"), make("pre", {}, run.text("log", place))],
    run.cases.outputs[place].map((output) => outputDetail(run, output)),
    caseHistory(run, place),
    requirementLinks(run, place),
  ];
}

const ALIKE = 5;  // cases of the same cause that are linked

/** The other cases of the same cause. */
function alike(run, place) {
  const cause = run.causeOf.get(place);
  if (!cause || cause.cases.length === 1) return "";
  const others = cause.cases.filter((other) => other !== place);
  const links = others.slice(0, ALIKE).map((other) => make("div", {}, make("a", { href: `#case/${encodeURI(run.cases.id[other])}` }, breakable(run.cases.id[other]))));
  const more = others.length > ALIKE ? `and ${others.length - ALIKE} more of this cause` : "";
  return [...links, more];
}

function repeatLine(command) {
  const line = make("pre", {}, command);
  const copy = async () => {
    getSelection().selectAllChildren(line);
    await navigator.clipboard.writeText(command).catch(() => document.execCommand("copy"));
  };
  return make("div", { class: "repeat" }, line, make("button", { type: "button", click: copy }, "Copy"));
}

function timeOf(run, place) {
  const parts = Object.entries(run.cases.seconds[place]).map(([name, value]) => `${name} ${seconds(value)}`);
  return parts.length ? `${seconds(run.totals[place])} (${parts.join(", ")})` : "";
}

/** The measured figures of a case, by their headers. */
function measuredTimes(run, place) {
  const row = run.times.rows.find(([id]) => id === run.cases.id[place]) || [];
  return row.slice(1).map((cell, i) => [run.times.headers[i + 1], cell]);
}

/** Dimensions that follow from the device. */
function sizes(values) {
  return Object.entries(values).map(([name, value]) => `${name} ${value}`).join(", ");
}

function notes(values) {
  return Object.entries(values).map(([name, value]) => `${name} ${short(value)}`).join(", ");
}

function outputDetail(run, output) {
  const matched = output.matched ? `, matches ${output.matched}` : "";
  const resolution = output.resolution ? `, resolution ${output.resolution} of the local scale` : "";
  return [
    make("h3", {}, "output ", make("code", {}, output.name), " ", badge(output.outcome)),
    make("p", { class: "soft" }, `${plural(output.elements || 0, "element")}${matched}${resolution}`),
    measureTable(run, output),
    output.distribution && make("div", { class: "plots" }, histogram(output.distribution), errorMap(output.distribution)),
    output.gtest && make("p", {}, `gtest ${output.gtest}`),
    elementTable("largest errors", "off by#", output.worst),
    elementTable("misplaced special values", "off by#", output.mismatches, output.mismatched),
  ];
}

function measureTable(run, output) {
  const judged = run.judged(output);
  const names = new Set(judged.map((measure) => measure.name));
  const others = run.measures.filter((name, i) => !names.has(name) && output.measures[i] !== undefined && output.measures[i] !== null);
  const rows = judged.map((measure) => [measure.name, short(measure.value), limitText(measure), gauge(measure), measure.origin]);
  const heading = table(["measure", "value#", "accepted", "", "from"], rows);
  if (rows.length) heading.querySelectorAll("th")[3].append(gaugeAxis());
  const unjudged = others.map((name) => `${name} ${short(output.measures[run.measures.indexOf(name)])}`).join(", ");
  return [rows.length ? heading : "", unjudged && make("p", { class: "soft" }, `not judged: ${unjudged}`)];
}

function limitText(measure) {
  if (measure.name !== "diff4") return `at most ${short(measure.limit)}`;
  return measure.limit >= 0 ? "neither 0 nor 1" : "off";
}

function elementTable(title, error, elements, total) {
  if (!elements) return "";
  const rows = elements.map(([index, actual, expected, off]) => [`[${index.join(", ")}]`, actual, expected, short(off)]);
  const more = total > elements.length ? make("p", { class: "soft" }, `and ${total - elements.length} more`) : "";
  return [make("h3", {}, title), table(["at", "actual#", "expected#", error], rows), more];
}

function caseHistory(run, place) {
  if (!run.history) return "";
  const points = run.history.cases[run.cases.id[place]];
  const steady = make("p", { class: "soft" }, `No step in ${plural(run.history.runs.length, "stored run")}.`);
  return [make("h3", {}, "history"), points ? timeline(run.history.runs, points.map(readPoint)) : steady];
}

function readPoint([outcome, ratio]) {
  return { outcome, ratio: ratio === "inf" ? Infinity : ratio };
}

function requirementLinks(run, place) {
  const checked = run.cases.requirements[place];
  if (!checked.length) return "";
  const entries = checked.map((name) => run.requirements[name]);
  return [make("h3", {}, "checks"), make("ul", {}, entries.map((entry) =>
    make("li", {}, make("a", { href: `#requirement/${entry.id}` }, entry.id), entry.text && ` ${entry.text}`)))];
}
