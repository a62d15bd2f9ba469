"use strict";

const DECADES = { from: -5, to: 5 };

/** A horizontal log axis: x of a ratio, kept within the plot. */
function logScale(width, from = DECADES.from, to = DECADES.to) {
  const inset = 6;
  return (ratio) => {
    const decade = Math.min(Math.max(Math.log10(ratio), from), to);
    return inset + ((decade - from) / (to - from)) * (width - 2 * inset);
  };
}

/** One measure against its threshold, which is the line in the middle: left of it is good. */
function gauge(measure, width = 220) {
  const x = logScale(width), ratio = ratioOf(measure);
  if (Number.isNaN(ratio)) return "";
  const label = `${short(measure.value)}: ${times(ratio)} of the threshold`;
  return draw("svg", { width, height: 18, role: "img", "aria-label": label },
    draw("line", { class: "axis", x1: 0, x2: width, y1: 9, y2: 9 }),
    draw("line", { class: "limit", x1: x(1), x2: x(1), y1: 1, y2: 17 }),
    draw("circle", { class: ratio <= 1 ? "under" : "over", cx: x(ratio), cy: 9, r: 5 }, draw("title", {}, label)));
}

/** The labels of the gauges' axis. */
function gaugeAxis(width = 220) {
  const x = logScale(width);
  const label = (decade, text, anchor) =>
    draw("text", { x: x(10 ** decade), y: 11, "text-anchor": anchor }, text);
  return draw("svg", { width, height: 14, "aria-hidden": "true" },
    label(DECADES.from, "1e-5", "start"), label(0, "threshold", "middle"), label(DECADES.to, "1e5", "end"));
}

/** How many elements have which relative error: quarters of a decade from 1e-9 to 1e3, counts on a log scale. */
function histogram(distribution) {
  const { histogram: counts, equal } = distribution;
  const width = 420, height = 130, base = height - 22, step = width / counts.length;
  const most = Math.log10(1 + Math.max(...counts));
  const bars = counts.map((count, i) => {
    const size = most ? (Math.log10(1 + count) / most) * (base - 14) : 0;
    return count && draw("rect", { class: "bar", x: i * step + 0.5, y: base - size, width: step - 1, height: size },
      draw("title", {}, `${plural(count, "element")} from ${short(10 ** (i / 4 - 9))} to ${short(10 ** ((i + 1) / 4 - 9))}`));
  }).filter(Boolean);
  const ticks = [-9, -6, -3, 0, 3].map((decade) =>
    draw("text", { x: ((decade + 9) / 12) * width, y: height - 8, "text-anchor": decade === -9 ? "start" : decade === 3 ? "end" : "middle" },
      decade === 0 ? "1" : `1e${decade}`));
  return make("figure", {},
    draw("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "histogram of relative errors" },
      draw("line", { class: "axis", x1: 0, x2: width, y1: base, y2: base }),
      draw("text", { x: 0, y: 10 }, `most in one bar: ${Math.max(...counts)}`), bars, ticks),
    make("figcaption", {}, `Relative error of the elements that differ, on log scales; ${plural(equal, "element")} as expected.`));
}

/** Where in the output the errors sit: the grid that the record stores, darker for larger errors. */
function errorMap(distribution) {
  const rows = distribution.map, columns = rows.length ? rows[0].length : 0;
  if (!columns) return "";
  const size = Math.max(4, Math.min(12, Math.floor(420 / columns)));
  const cells = rows.flatMap((line, r) => [...line].map((sign, c) => sign === "." ? undefined :
    draw("rect", {
      class: sign === "!" ? "odd" : "cell", x: c * size, y: r * size, width: size - 0.5, height: size - 0.5,
      opacity: sign === "!" ? 1 : 0.1 + 0.1 * Number(sign),
    })));
  const width = columns * size, height = rows.length * size;
  return make("figure", {},
    draw("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "map of errors" },
      draw("rect", { width, height, fill: "none", class: "axis" }), cells),
    make("figcaption", {}, mapCaption(distribution.shape, rows.length, columns)));
}

function mapCaption(shape, rows, columns) {
  const form = shape.length > 1
    ? `left to right its last axis (${shape[shape.length - 1]} in ${columns} cells), top to bottom the others`
    : "line by line";
  return `The output, ${shape.join(" x ") || "one number"}: ${form}. Each step of shade is a decade of absolute error; ` +
    "the other colour is a misplaced NaN or infinity.";
}

/** A case over stored runs: measure against threshold, where it stepped, and what the outcome was. */
function timeline(runs, points) {
  const width = 420, height = 130, x = (i) => 10 + (i * (width - 20)) / Math.max(runs.length - 1, 1);
  const y = (ratio) => height - 12 - ((Math.min(Math.max(Math.log10(ratio || 1e-9), -5), 2) + 5) / 7) * (height - 24);
  const shown = points.map((point, i) => ({ ...point, i })).filter((point) => point.outcome);
  const sized = shown.filter((point) => point.ratio !== null);
  const steps = shown.slice(1).filter((point, k) => isStep(shown[k], point));
  return make("figure", {},
    draw("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "the case over stored runs" },
      draw("line", { class: "limit", x1: 0, x2: width, y1: y(1), y2: y(1) }),
      draw("text", { x: width, y: y(1) - 3, "text-anchor": "end" }, "threshold"),
      steps.map((point) => [
        draw("line", { class: "step", x1: x(point.i), x2: x(point.i), y1: 0, y2: height }),
        draw("text", { x: x(point.i) - 4, y: 10, "text-anchor": "end" }, runs[point.i].name),
      ]),
      draw("polyline", { class: "trace", points: sized.map((point) => `${x(point.i)},${y(point.ratio)}`).join(" ") }),
      shown.map((point) => draw("circle", {
        class: point.outcome, fill: "currentColor", cx: x(point.i), cy: point.ratio === null ? height - 6 : y(point.ratio), r: 4,
      }, draw("title", {}, `${runs[point.i].name}, ${runs[point.i].library}: ${point.outcome} ${times(point.ratio ?? NaN)}`)))),
    make("figcaption", {}, `Worst measure as a part of its threshold in ${plural(runs.length, "stored run")}; dotted where it stepped.`));
}

/** Whether a case's outcome changed between two runs, or its worst measure by more than a factor of two. */
function isStep(before, after) {
  if (before.outcome !== after.outcome) return true;
  const [least, most] = [before.ratio, after.ratio].map((ratio) => ratio || 0).sort((a, b) => a - b);
  return most > 2 * least && most > 0.01;
}

/** How many outputs have which worst part of their threshold: one strip of a log axis. */
function strip(ratios, width = 360) {
  const bins = new Array(40).fill(0), x = logScale(width);
  for (const ratio of ratios) {
    const decade = Math.min(Math.max(Math.log10(ratio), DECADES.from), DECADES.to - 1e-9);
    bins[Math.floor((decade - DECADES.from) * 4)] += 1;
  }
  const most = Math.max(...bins);
  const cells = bins.map((count, i) => count && draw("rect", {
    class: i < 20 ? "under" : "over", x: x(10 ** (i / 4 + DECADES.from)), y: 2, width: (width - 12) / 40 - 0.5, height: 14,
    opacity: 0.25 + 0.75 * Math.sqrt(count / most),
  }, draw("title", {}, plural(count, "case")))).filter(Boolean);
  return draw("svg", { width, height: 18, role: "img", "aria-label": `${plural(ratios.length, "case")}` },
    draw("line", { class: "axis", x1: 0, x2: width, y1: 17, y2: 17 }), cells,
    draw("line", { class: "limit", x1: x(1), x2: x(1), y1: 0, y2: 18 }));
}
