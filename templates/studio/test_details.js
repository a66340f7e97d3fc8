// Tests: the details of one.
import {placeholder} from "./controls.js";
import {fill, h} from "./dom.js";
import {clock, counted, number, seconds} from "./format.js";
import {mutantRows, ranges} from "./model.js";
import {addressOf} from "./route.js";

const mostMutants = 200;

/// Fills the details with a test: its verdicts, what it executes and kills.
export function showTest(app, details, row, test, coverage, mutation) {
  details.element.hidden = !test;
  if (!test) return;
  const entry = coverage ? app.want(["report", "coverage", "--per-test", test]) : null;
  fill(details.title, test, () => test);
  const key = [
    test,
    row && [row.suite, row.seconds, row.decision, row.history.length],
    entry && [entry.status, entry.at, entry.error],
    Boolean(mutation),
  ];
  fill(details.body, key, () => {
    if (!row) return h("p", {}, "No document has this test now.");
    const kills = mutation ? mutantRows(mutation).rows.filter(mutant => mutant.killers.includes(row.name)) : [];
    return [
      h(
        "p",
        {},
        `suite ${row.suite}, ${seconds(row.seconds)}`,
        row.decision && [", ", h("a", {href: addressOf("plan", {test: row.name, suite: row.suite})}, row.decision)],
      ),
      row.doubts.length > 0 && h("p", {}, "It may execute more: ", row.doubts.join(", ")),
      row.history.length > 0 && [
        h("h3", {}, "Verdicts"),
        h(
          "ol",
          {class: "plain"},
          row.history
            .slice(0, 50)
            .map(one =>
              h(
                "li",
                {},
                h("span", {class: one.failed ? "tag failed" : "tag passed"}, one.failed ? "✗ failed" : "✓ passed"),
                ` ${clock(1000 * one.at)}, ${seconds(one.seconds)}`,
              ),
            ),
        ),
      ],
      h("h3", {}, "Executes"),
      entry
        ? placeholder(entry, "lines") || executedFiles(entry.value, row)
        : h("p", {class: "quiet"}, "no coverage of lines here"),
      mutation && [
        h("h3", {}, `Kills ${counted(kills.length, "mutant")}`, mutation.every_killer ? "" : ", each as the first test"),
        h(
          "ul",
          {class: "plain"},
          kills
            .slice(0, mostMutants)
            .map(mutant =>
              h(
                "li",
                {},
                h("a", {href: addressOf("mutants", {state: mutant.state, mutant: mutant.id})}, `${mutant.file}:${mutant.line}`),
                ` ${mutant.operator} `,
                h("code", {}, mutant.original),
                " → ",
                h("code", {}, mutant.replacement),
              ),
            ),
          kills.length > mostMutants && h("li", {}, `and ${number(kills.length - mostMutants)} more`),
        ),
      ],
    ];
  });
}

function executedFiles(value, row) {
  const found = value.tests.find(one => one.suite === row.suite) || value.tests[0];
  if (!found || !found.measured) return h("p", {}, "not measured");
  return h(
    "ul",
    {class: "plain"},
    found.files.map(file =>
      h(
        "li",
        {},
        h("a", {href: addressOf("coverage", {file: file.path, test: row.name, suite: row.suite})}, file.path),
        ` ${counted(file.lines.length, "line")}`,
        file.lines.length > 0
          && h(
            "span",
            {class: "quiet"},
            ": "
              + ranges(file.lines)
                .slice(0, 20)
                .map(([a, b]) => (a === b ? a : `${a}–${b}`))
                .join(", "),
          ),
      ),
    ),
  );
}
