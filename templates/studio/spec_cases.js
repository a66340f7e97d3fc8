// Specs: the cases of a pool as rows, their violations, and results of measuring and analysing as tables.
import {h} from "./dom.js";

function short(value) {
  return value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
}

/// Rows of lines of `morph spec show --json`, of the first executer or the named one.
export function caseRows(lines, executer) {
  return lines.map(one => {
    const run = (one.runs || []).find(each => !executer || each.executer === executer) || {};
    const verdicts = Object.entries(run.verdicts || {});
    const count = how => verdicts.filter(([, verdict]) => verdict === how).length;
    return {
      id: one.id,
      by: one.by,
      from: one.from || [],
      input: short(one.in),
      output: run.out === undefined ? run.ended || "" : short(run.out),
      expected: short(one.expected),
      verdicts,
      pass: count("pass"),
      fail: count("fail"),
      none: count("n/a"),
      metrics: one.metrics || {},
    };
  });
}

/// [{id, relation, row}...]
export function violationsOf(rows) {
  return rows.flatMap(row =>
    row.verdicts.filter(([, verdict]) => verdict === "fail").map(([relation]) => ({id: row.id, relation, row})),
  );
}

function figureText(value) {
  return typeof value === "number" ? String(Math.round(10000 * value) / 10000) : String(value);
}

/// What an activity printed, for the eye; nothing if it is of no known form.
export function resultTables(value) {
  const table = (title, heads, rows) => [
    h("h3", {}, title),
    h(
      "div",
      {class: "scroll", tabindex: 0, role: "region", "aria-label": title},
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            heads.map(head => h("th", {scope: "col"}, head)),
          ),
        ),
        h(
          "tbody",
          {},
          rows.map(row =>
            h(
              "tr",
              {},
              row.map((cell, i) => h(i === 0 ? "th" : "td", i === 0 ? {scope: "row"} : {}, figureText(cell))),
            ),
          ),
        ),
      ),
    ),
  ];
  if (value.analyses)
    return value.analyses.map(one => [table(one.title, one.columns, one.rows), one.text && h("pre", {}, one.text)]);
  if (value.cases !== undefined)
    return table(
      "Metrics of the pool",
      ["metric", "value"],
      Object.entries(value).filter(([name]) => name !== "schema"),
    );
  if (value.specs && value.specs[0] && value.specs[0].relations && value.specs[0].strategy)
    return value.specs.map(spec => [
      h("p", {}, `${spec.spec}, ${spec.strategy}: ${spec.seeds} seeds, ${spec.mutants} mutants`),
      table(
        "Relations",
        ["relation", "pass", "fail", "n/a"],
        spec.relations.map(one => [one.name, one.pass, one.fail, one.not_applicable]),
      ),
      spec.violations
        .slice(0, 20)
        .map(one =>
          h(
            "p",
            {class: "advice"},
            `${one.relation} is violated`,
            one.why ? `: ${one.why}` : "",
            " ",
            h("code", {}, JSON.stringify(one.derivation)),
          ),
        ),
    ]);
  if (value.text !== undefined) return h("pre", {}, value.text.slice(0, 20000));
  return null;
}
