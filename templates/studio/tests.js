// Tests: time, verdicts, what each executes and kills.
import {commands} from "./actions.js";
import {makeFilters, offerButtons, placeholder} from "./controls.js";
import {button, fill, h} from "./dom.js";
import {counted, number, seconds} from "./format.js";
import {testKey, testRows, verdictOf} from "./model.js";
import {makeDetails, twoPanes} from "./panes.js";
import {makeComparison} from "./run_comparison.js";
import {Table} from "./table.js";
import {showTest} from "./test_details.js";

const coverageWords = ["report", "coverage"],
  mutationWords = ["report", "mutation"],
  historyWords = ["store", "history"];
const testCommands = [commands.runAll, commands.record, commands.measure];
const mostRuns = 12;
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
  words: app => {
    const {compare, test} = app.router.words;
    return compare ? historyWords : test ? ["report", "coverage", "--per-test", test] : ["plan"];
  },
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
    const compare = button("Compare two runs", () => app.router.set({compare: "1"})),
      comparison = makeComparison(app);
    const missing = h("p", {class: "quiet"});
    const screenBody = h(
      "div",
      {class: "screen", hidden: true},
      h(
        "div",
        {class: "buttons"},
        testCommands.map(({title, words}) => button(title, () => app.bar.offer(words, title))),
        history,
        compare,
      ),
      filters.element,
      missing,
      twoPanes(table.element, details.element),
    );
    const update = () => {
      comparison.element.hidden = !app.router.words.compare;
      if (app.router.words.compare) {
        screenBody.hidden = true;
        return comparison.update();
      }
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
    return {
      element: h("div", {class: "fill"}, waiting, screenBody, comparison.element),
      update,
      get table() {
        return app.router.words.compare ? comparison.table : table;
      },
    };
  },
};
