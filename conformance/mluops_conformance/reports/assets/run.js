"use strict";

/** The run that stands in the page, with what the page asks of its cases by their place in it. */
class Run {
  static async decode(text) {
    const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Run(await new Response(stream).json());
  }

  constructor(values) {
    Object.assign(this, values);
    this.size = this.cases.id ? this.cases.id.length : 0;
    this.placeOf = new Map((this.cases.id || []).map((id, place) => [id, place]));
    this.ratios = Float64Array.from({ length: this.size }, (_, place) => this.worstRatio(place));
    this.totals = Float64Array.from({ length: this.size }, (_, place) =>
      Object.values(this.cases.seconds[place]).reduce((sum, value) => sum + value, 0));
    this.checkers = this.byRequirement();
    this.causeOf = new Map(this.causes.flatMap((cause) => cause.cases.map((place) => [place, cause])));
    this.ranks = new Float64Array(this.size).fill(Infinity);
    this.causes.flatMap((cause) => cause.cases).forEach((place, rank) => { this.ranks[place] = rank; });
  }

  outcome(place) { return this.outcomes[this.cases.outcome[place]].name; }
  isGood(place) { return this.outcomes[this.cases.outcome[place]].good; }
  text(field, place) { return this.texts[this.cases[field][place]]; }
  repro(place) { return this.text("repro", place).replaceAll("\0", this.cases.id[place]); }
  origin(limit) { return limit[2].map((part) => this.texts[part]).join("; "); }

  /** The measures of an output that have a threshold: name, value, limit and where it comes from. */
  judged(output) {
    return (output.thresholds || [])
      .filter((limit) => output.measures[limit[0]] !== undefined && output.measures[limit[0]] !== null)
      .map((limit) => ({
        name: this.measures[limit[0]], value: output.measures[limit[0]], limit: limit[1], origin: this.origin(limit),
      }));
  }

  /** How many times its threshold the worst measure of a case is; NaN where nothing has a size. */
  worstRatio(place) {
    let worst = NaN;
    for (const output of this.cases.outputs[place]) {
      for (const measure of this.judged(output)) {
        const ratio = ratioOf(measure);
        if (ratio > worst || (Number.isNaN(worst) && !Number.isNaN(ratio))) worst = ratio;
      }
    }
    return worst;
  }

  byRequirement() {
    const found = this.requirements.map(() => []);
    (this.cases.requirements || []).forEach((checked, place) => checked.forEach((name) => found[name].push(place)));
    return found;
  }

  /** What words of the filter are looked for in, in lower case. */
  haystack(place) {
    this.haystacks = this.haystacks || [];
    if (this.haystacks[place] === undefined) {
      const checked = this.cases.requirements[place].map((name) => this.requirements[name].id);
      const cause = this.causeOf.get(place);
      const texts = [cause ? cause.what : "", this.cases.id[place], this.outcome(place), this.text("reason", place), this.text("origin", place)];
      this.haystacks[place] = [...texts, ...checked].join("\n").toLowerCase();
    }
    return this.haystacks[place];
  }
}

/** Measure / threshold; NaN for diff4, which has no size; infinite above a threshold of 0. */
function ratioOf(measure) {
  if (measure.name === "diff4") return NaN;
  const value = Number(measure.value === "inf" ? Infinity : measure.value);
  if (measure.limit === 0) return value > 0 ? Infinity : 0;
  return value / Number(measure.limit);
}
