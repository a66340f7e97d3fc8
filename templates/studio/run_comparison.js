// Tests: two runs beside each other: verdicts that differ, and times.
import {makeFilters, placeholder} from "./controls.js";
import {button, fill, h} from "./dom.js";
import {counted, number, seconds} from "./format.js";
import {instant, sourceOf, storeHistoryWords} from "./history_views.js";
import {runKey} from "./model.js";
import {Table} from "./table.js";

const runSigns = {true: "✗ failed", false: "✓ passed", undefined: "– not run"};
const verdict = one => runSigns[one && one.failed];
const verdictColumn = (title, of) => ({
  title,
  width: 6,
  text: row => verdict(of(row)),
  draw: row => h("span", {class: !of(row) ? "quiet" : of(row).failed ? "tag failed" : "tag passed"}, verdict(of(row))),
});
const time = one => (one ? one.seconds : null);
const signed = n => (n === null ? "" : n < 0 ? `−${seconds(-n)}` : `+${seconds(n)}`);
const comparedColumns = [
  {title: "test", width: 12, grow: 3, text: row => row.name},
  verdictColumn("before", row => row.before),
  verdictColumn("after", row => row.after),
  {title: "time before", width: 6, right: true, text: row => seconds(time(row.before)), key: row => time(row.before)},
  {title: "time after", width: 6, right: true, text: row => seconds(time(row.after)), key: row => time(row.after)},
  {title: "longer by", width: 6, right: true, text: row => signed(row.longer), key: row => row.longer},
];

const isVerdictOther = row => Boolean(row.before) && Boolean(row.after) && row.before.failed !== row.after.failed;
const comparedKeeps = {
  "verdicts that differ": isVerdictOther,
  "run once": row => !row.before || !row.after,
  "twice as long": row => row.longer !== null && row.after.seconds > 2 * row.before.seconds,
};

/// Tests of two runs, by their positions: differing verdicts first, then by how much longer the second took.
export function compareRuns(history, before, after) {
  const rows = [];
  for (const test of history.tests) {
    const of = run => {
      const found = test.verdicts.find(([position]) => position === run);
      return found && {failed: found[1] === 1, seconds: found[2]};
    };
    const row = {key: test.name, name: test.name, before: of(before), after: of(after), longer: null};
    if (!row.before && !row.after) continue;
    if (row.before && row.after) row.longer = row.after.seconds - row.before.seconds;
    rows.push(row);
  }
  return rows.sort((a, b) => isVerdictOther(b) - isVerdictOther(a) || (b.longer || 0) - (a.longer || 0));
}

/// The positions of the two runs of the address: the newest, and the one before it of its kind, where it names none.
function chosenRuns(history, {run, against}) {
  const keys = history.runs.map(runKey);
  const after = run && keys.includes(run) ? keys.indexOf(run) : history.runs.length - 1;
  const isOfKind = (one, i) => i < after && one.source === history.runs[after].source;
  const named = against && keys.includes(against) ? keys.indexOf(against) : -1;
  return {after, before: named >= 0 ? named : history.runs.findLastIndex(isOfKind)};
}

export function makeComparison(app) {
  let history = null,
    pair = "",
    rows = [],
    filtered = null;
  const table = new Table({
    label: "Two runs",
    columns: comparedColumns,
    id: row => row.key,
    empty: "no test of these runs has these words and filters",
    onOpen: row => app.router.go("tests", {test: row.name, history: "1"}),
  });
  const runs = () => {
    const title = run => `${instant(run.at)} ${sourceOf(run)}: ${counted(run.tests, "test")}, ${number(run.failed)} failed`;
    return history ? history.runs.map(run => [runKey(run), title(run)]).reverse() : [];
  };
  const shows = () => [
    ["", "all"],
    ...Object.entries(comparedKeeps).map(([name, keep]) => [name, `${name} (${number(rows.filter(keep).length)})`]),
  ];
  let options = [];
  const filters = makeFilters(app, [
    {word: "run", title: "Run", options: () => [["", "the newest"], ...options]},
    {word: "against", title: "Against", options: () => [["", "the one before it"], ...options]},
    {word: "show", title: "Show", options: shows},
    {word: "q", title: "Search"},
  ]);
  const waiting = h("div", {}),
    summary = h("p", {});
  const back = button("All tests", () => app.router.set({compare: "", run: "", against: "", show: "", q: ""}));
  const element = h(
    "div",
    {class: "screen"},
    h("div", {class: "buttons"}, back),
    waiting,
    filters.element,
    summary,
    table.element,
  );
  const update = () => {
    const entry = app.want(storeHistoryWords);
    fill(waiting, [entry.status, entry.error], () => placeholder(entry, "history"));
    if (entry.value === undefined) return;
    if (history !== entry.value) {
      history = entry.value;
      options = runs();
      pair = "";
    }
    const {before, after} = chosenRuns(history, app.router.words);
    const now = `${before} ${after}`;
    if (pair !== now) {
      pair = now;
      rows = compareRuns(history, before, after);
      table.setRows(rows);
      filtered = null;
    }
    const {q = "", show = ""} = app.router.words;
    if (filtered !== q + "\n" + show) {
      filtered = q + "\n" + show;
      table.filter(q, comparedKeeps[show] || null);
    }
    const other = rows.filter(isVerdictOther).length;
    const took = run => (history.runs[run] ? seconds(history.runs[run].seconds) : "no run");
    fill(summary, [now, other, rows.length], () =>
      history.runs.length === 0
        ? "No verdict is stored yet: run the tests, then record the verdicts."
        : `${counted(other, "verdict differs", "verdicts differ")}; the tests took ${took(before)} before and ${took(after)} after.`,
    );
    filters.update(counted(table.shown.length, "test"));
  };
  return {element, update, table};
}
