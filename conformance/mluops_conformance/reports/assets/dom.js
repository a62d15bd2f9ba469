"use strict";

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element: attributes by name, of which functions are listeners; then its children, nodes or texts. */
function make(tag, attributes = {}, ...children) {
  return dress(document.createElement(tag), attributes, children);
}

/** An SVG element, like `make`. */
function draw(tag, attributes = {}, ...children) {
  return dress(document.createElementNS(SVG, tag), attributes, children);
}

function dress(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== undefined && child !== null && child !== ""));
  return element;
}

const byId = (id) => document.getElementById(id);

/** A table of rows of cells; a header that ends with "#" is of a column of numbers. */
function table(headers, rows) {
  const classes = headers.map((header) => (header.endsWith("#") ? "number" : undefined));
  const cells = (tag, row) => row.map((cell, i) => make(tag, { class: classes[i] }, ...[cell].flat()));
  const head = make("tr", {}, cells("th", headers.map((header) => header.replace("#", ""))));
  const body = rows.map((row) => make("tr", {}, cells("td", row)));
  return make("div", { class: "scroll" }, make("table", {}, make("thead", {}, head), make("tbody", {}, body)));
}

/** A list of names and values; those without a value are left out. */
function facts(entries) {
  const shown = entries.filter(([, value]) => value !== "" && value !== undefined && value !== null);
  return make("dl", { class: "facts" }, shown.map(([name, value]) => [make("dt", {}, name), make("dd", {}, ...[value].flat())]));
}

/** A number as the text report writes it: four digits, a plain exponent. */
function short(value) {
  if (typeof value === "string") return value;
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
  const text = Number(value.toPrecision(4));
  const small = Math.abs(text) < 1e-4 || Math.abs(text) >= 1e9;
  return (small ? text.toExponential() : String(text)).replace("e+", "e");
}

function seconds(value) {
  if (value >= 1) return `${short(value)} s`;
  return value >= 1e-3 ? `${short(value * 1e3)} ms` : `${short(value * 1e6)} us`;
}

/** A part of a threshold: "0.37 x"; "" where nothing has one. */
function times(ratio) {
  if (Number.isNaN(ratio)) return "";
  if (ratio === 0) return "exact";
  return ratio === Infinity ? "not exact" : `${short(Number(ratio.toPrecision(2)))} x`;
}

/** The sentences of a reason; those within parentheses are of one. */
function sentences(reason) {
  const found = [""];
  let depth = 0;
  for (const part of reason.split(/([()]|; |\n)/)) {
    depth += part === "(" ? 1 : part === ")" ? -1 : 0;
    if (part === "\n" || (part === "; " && depth <= 0)) found.push("");
    else found[found.length - 1] += part;
  }
  return found.filter(Boolean);
}

/** A long name that may be broken after its punctuation. */
function breakable(name) {
  return name.split(/(?<=[,:/])/).flatMap((part) => [part, make("wbr")]);
}

function badge(outcome) {
  return make("span", { class: `badge ${outcome}` }, outcome);
}

function plural(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
