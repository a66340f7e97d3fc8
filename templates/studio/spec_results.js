// Specs: what an activity printed, for the eye: tables, and the borders that an exploration found as points of their classes.
import {scatterChart} from "./chart.js";
import {h} from "./dom.js";
import {counted, number} from "./format.js";

const mostListed = 20;

function figureText(value) {
  return typeof value === "number" ? String(Math.round(10000 * value) / 10000) : String(value);
}

function resultTable(title, heads, rows) {
  const head = h(
    "thead",
    {},
    h(
      "tr",
      {},
      heads.map(one => h("th", {scope: "col"}, one)),
    ),
  );
  const cells = row => row.map((cell, i) => h(i === 0 ? "th" : "td", i === 0 ? {scope: "row"} : {}, figureText(cell)));
  return [
    h("h3", {}, title),
    h(
      "div",
      {class: "scroll", tabindex: 0, role: "region", "aria-label": title},
      h(
        "table",
        {},
        head,
        h(
          "tbody",
          {},
          rows.map(row => h("tr", {}, cells(row))),
        ),
      ),
    ),
  ];
}

/// [x, y] of an input that is two numbers, or nothing.
export function pointOf(input) {
  const values = input !== null && typeof input === "object" ? Object.values(input) : [];
  return values.length === 2 && values.every(one => typeof one === "number") ? values : null;
}

function borders(value) {
  const ends = value.borders.flatMap(one => [one.a, one.b]);
  const points = ends
    .map(end => ({end, at: pointOf(end.in)}))
    .filter(one => one.at)
    .map(({end, at: [x, y]}) => ({
      x,
      y,
      kind: end.class,
      label: `${JSON.stringify(end.in)}: ${value.classes[end.class].output}`,
    }));
  const names = points.length > 0 && !Array.isArray(ends[0].in) ? Object.keys(ends[0].in) : ["first number", "second number"];
  return [
    h(
      "p",
      {},
      `${counted(value.borders.length, "border")} between ${counted(value.classes.length, "class", "classes")} by ${value.strategy}`,
    ),
    points.length > 0
      && scatterChart({
        title: "Borders of classes",
        narrow: true,
        about: `${counted(points.length, "end")} of borders`,
        x: {title: names[0]},
        y: {title: names[1]},
        kinds: value.classes.map(one => one.output),
        points,
      }),
    resultTable(
      "Classes",
      ["output", "cases", "inputs"],
      value.classes.map(one => [one.output, one.cases, one.inputs]),
    ),
    resultTable(
      "Borders",
      ["from", "to", "width"],
      value.borders.slice(0, mostListed).map(one => [JSON.stringify(one.a.in), JSON.stringify(one.b.in), one.width]),
    ),
    value.borders.length > mostListed && h("p", {class: "quiet"}, `and ${number(value.borders.length - mostListed)} more`),
  ];
}

function violations(spec) {
  return spec.violations
    .slice(0, mostListed)
    .map(one =>
      h(
        "p",
        {class: "advice"},
        `${one.relation} is violated`,
        one.why ? `: ${one.why}` : "",
        " ",
        h("code", {}, JSON.stringify(one.derivation)),
      ),
    );
}

/// Nothing if it is of no known form.
export function resultTables(value) {
  if (value.borders) return borders(value);
  if (value.analyses)
    return value.analyses.map(one => [resultTable(one.title, one.columns, one.rows), one.text && h("pre", {}, one.text)]);
  if (value.cases !== undefined)
    return resultTable(
      "Metrics of the pool",
      ["metric", "value"],
      Object.entries(value).filter(([name]) => name !== "schema"),
    );
  if (value.specs && value.specs[0] && value.specs[0].relations && value.specs[0].strategy)
    return value.specs.map(spec => [
      h("p", {}, `${spec.spec}, ${spec.strategy}: ${spec.seeds} seeds, ${spec.mutants} mutants`),
      resultTable(
        "Relations",
        ["relation", "pass", "fail", "n/a"],
        spec.relations.map(one => [one.name, one.pass, one.fail, one.not_applicable]),
      ),
      violations(spec),
    ]);
  if (value.text !== undefined) return h("pre", {}, value.text.slice(0, 20000));
  return null;
}
