// Tests: time, verdicts, what each executes and kills.
import {commands} from "./actions.js";
import {makeFilters, offerButtons, placeholder} from "./controls.js";
import {button, fill, h} from "./dom.js";
import {clock, counted, number, seconds} from "./format.js";
import {mutantRows, ranges, testKey, testRows, verdictOf} from "./model.js";
import {makeDetails, twoPanes} from "./panes.js";
import {addressOf} from "./route.js";
import {Table} from "./table.js";

const coverageWords = ["report", "coverage"],
  mutationWords = ["report", "mutation"],
  historyWords = ["store", "export"];
const testCommands = [commands.runAll, commands.record, commands.measure];
const mostRuns = 12,
  mostMutants = 200;
const count = n => (n === null ? "" : number(n));
const verdictSigns = {passed: "✓ passed", failed: "✗ failed", "": ""};

const testColumns = [
  {title: "test", width: 12, grow: 3, text: row => row.name},
  {title: "suite", width: 5, grow: 1, text: row => row.suite},
  {
    title: "last",
    width: 4.5,
    text: row => verdictSigns[verdictOf(row)],
    draw: row => h("span", {class: "tag " + verdictOf(row)}, verdictSigns[verdictOf(row)]),
  },
  {title: "time", width: 4, right: true, text: row => seconds(row.seconds), key: row => row.seconds},
  {title: "lines", width: 3, right: true, text: row => count(row.lines), key: row => row.lines},
  {title: "functions", width: 5, right: true, text: row => count(row.functions), key: row => row.functions},
  {title: "kills", width: 3, right: true, text: row => count(row.kills), key: row => row.kills},
  {title: "alone", width: 3, right: true, text: row => count(row.alone), key: row => row.alone},
  {title: "marks", width: 5, grow: 1, text: row => [...row.marks, ...(row.redundant ? ["redundant"] : [])].join(", ")},
  {title: "runs", width: 7, text: historyText, draw: row => h("span", {class: "history"}, historyText(row))},
];

/// The last verdicts, newest last: "✓✓✗".
function historyText(row) {
  return row.history
    .slice(0, mostRuns)
    .reverse()
    .map(one => (one.failed ? "✗" : "✓"))
    .join("");
}

const keeps = {
  failed: row => verdictOf(row) === "failed",
  flaky: row => row.marks.includes("flaky"),
  doubtful: row => row.doubts.length > 0,
  "kills nothing": row => row.kills === 0,
  redundant: row => row.redundant,
  "not measured": row => row.lines === null,
};

export const testsScreen = {
  name: "tests",
  title: "Tests",
  about: "time, verdicts, lines and kills of each test",
  words: app => (app.router.words.test ? ["report", "coverage", "--per-test", app.router.words.test] : ["plan"]),
  actions: app =>
    testCommands.map(({title, words}) => ({title, hint: "of this screen", run: () => app.bar.offer(words, title)})),
  open(app) {
    let rows = [],
      made = null,
      filtered = null;
    const waiting = h("div", {});
    const table = new Table({
      label: "Tests",
      columns: testColumns,
      id: row => row.key,
      empty: "no test has these words and filters",
      onOpen: row => app.router.set({test: row.name, suite: row.suite}),
      onSort: (column, down) => app.router.set({sort: testColumns[column].title, down: down ? "1" : ""}),
    });
    const details = makeDetails("Test", () => {
      app.router.set({test: "", suite: ""});
      table.grid.focus();
    });
    const shows = () => [
      ["", `all ${number(rows.length)}`],
      ...Object.entries(keeps).map(([name, keep]) => [name, `${name} (${number(rows.filter(keep).length)})`]),
    ];
    let options = [["", "all"]];
    const filters = makeFilters(app, [
      {word: "q", title: "Search"},
      {word: "show", title: "Show", options: () => options},
    ]);
    const history = button("Load verdicts of earlier runs", () => app.router.set({history: "1"}));
    const missing = h("p", {class: "quiet"});
    const screenBody = h(
      "div",
      {class: "screen", hidden: true},
      h(
        "div",
        {class: "buttons"},
        testCommands.map(({title, words}) => button(title, () => app.bar.offer(words, title))),
        history,
      ),
      filters.element,
      missing,
      twoPanes(table.element, details.element),
    );
    const update = () => {
      const plan = app.want(["plan"]),
        coverage = app.want(coverageWords),
        mutation = app.want(mutationWords);
      const verdicts = app.router.words.history ? app.want(historyWords) : null;
      history.disabled = Boolean(verdicts);
      const parts = [plan, coverage, mutation, ...(verdicts ? [verdicts] : [])];
      const any = parts.some(entry => entry.value !== undefined);
      fill(waiting, [any, plan.status, plan.error], () =>
        any ? null : placeholder(plan, "plan", offerButtons(app, [commands.doctor])),
      );
      screenBody.hidden = !any;
      if (!any) return;
      const values = parts.map(entry => entry.value);
      if (!made || values.some((value, i) => value !== made[i]) || values.length !== made.length) {
        made = values;
        rows = testRows(values[0], values[1], values[2], values[3]);
        table.setRows(rows);
        options = shows();
        filtered = null;
      }
      const names = ["plan", "coverage of lines", "mutation result", "verdicts"];
      const lacking = parts
        .map((entry, i) =>
          entry.value !== undefined ? "" : `${names[i]} (${entry.status === "failed" ? entry.error : "being read"})`,
        )
        .filter(Boolean);
      fill(missing, lacking, () => (lacking.length > 0 ? "Not here: " + lacking.join("; ") : null));
      missing.hidden = lacking.length === 0;
      const {q = "", show = "", sort = "", down = "", test = "", suite = ""} = app.router.words;
      table.sort(
        testColumns.findIndex(one => one.title === sort),
        sort !== "" && down === "1",
      );
      if (filtered !== q + "\n" + show) {
        filtered = q + "\n" + show;
        table.filter(q, keeps[show] || null);
      }
      filters.update(
        table.shown.length === rows.length
          ? counted(rows.length, "test")
          : `${number(table.shown.length)} of ${counted(rows.length, "test")}`,
      );
      table.select(test ? testKey(suite, test) : null);
      showTest(
        app,
        details,
        test && rows.find(row => row.name === test && (!suite || row.suite === suite)),
        test,
        coverage.value,
        mutation.value,
      );
    };
    return {element: h("div", {class: "fill"}, waiting, screenBody), update, table};
  },
};

function showTest(app, details, row, test, coverage, mutation) {
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
        file.lines.length > 0 &&
          h(
            "span",
            {class: "quiet"},
            ": " +
              ranges(file.lines)
                .slice(0, 20)
                .map(([a, b]) => (a === b ? a : `${a}–${b}`))
                .join(", "),
          ),
      ),
    ),
  );
}
