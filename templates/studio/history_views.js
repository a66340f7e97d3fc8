// History: what can be shown, each with its document, rows, columns and charts.
import {barChart, lineChart} from "./chart.js";
import {h} from "./dom.js";
import {clock, counted, number, percent, seconds, shortCommit} from "./format.js";
import {runKey} from "./model.js";

export const storeHistoryWords = ["store", "history"];
const mostBars = 15;
export const instant = at => new Date(1000 * at).toISOString().slice(0, 16).replace("T", " ");
const whenColumn = {title: "when", width: 9.5, text: row => instant(row.at), key: row => row.at};
const countColumn = (title, width, of) => ({title, width, right: true, text: row => number(of(row)), key: of});
const timeColumn = (title, of) => ({title, width: 5, right: true, text: row => seconds(of(row)), key: of});
const failedColumn = {
  ...countColumn("failed", 4, row => row.failed),
  draw: row => h("span", {class: row.failed > 0 ? "tag failed" : ""}, number(row.failed)),
};
const timeAxis = {title: "when", time: true};

/// A line for each kind of run, of the figure that of(row) gives.
function linesOf(rows, kindOf, of, textOf) {
  const kinds = [...new Set(rows.map(kindOf))].sort();
  return kinds.map(name => ({
    name,
    points: rows
      .filter(row => kindOf(row) === name)
      .map(row => ({x: row.at, y: of(row), label: `${name}, ${clock(1000 * row.at)}: ${textOf(row)}`})),
  }));
}

const sourceNames = {measure: "measured", ctest: "ctest", junit: "JUnit report"};
export const sourceOf = row => sourceNames[row.source] || row.source;

/// Tests with how often their verdict changed, unsteady ones first.
export function unsteadyTests(history) {
  return history.tests
    .map(test => {
      const own = test.verdicts.filter(([run]) => history.runs[run].source !== "measure");
      const failed = own.filter(([, bad]) => bad).length;
      const changes = own.filter(([, bad], i) => i > 0 && bad !== own[i - 1][1]).length;
      return {key: test.name, name: test.name, flaky: test.flaky, runs: own.length, failed, changes};
    })
    .filter(test => test.flaky || test.changes > 0)
    .sort((a, b) => b.flaky - a.flaky || b.changes - a.changes || b.failed - a.failed);
}

const saved = row => (row.full_us > 0 ? 1 - row.selected_us / row.full_us : 0);

export const historyViews = [
  {
    name: "",
    title: "Runs",
    noun: "run",
    words: storeHistoryWords,
    empty: "no run has these words",
    absent: "No verdict is stored yet. Run the tests, then record the verdicts.",
    rows: history => history.runs.map((run, i) => ({...run, key: String(i), number: i})).reverse(),
    columns: [
      whenColumn,
      {title: "source", width: 6, grow: 1, text: sourceOf},
      countColumn("tests", 4, row => row.tests),
      failedColumn,
      timeColumn("time", row => row.seconds),
    ],
    address: row => ["tests", {compare: "1", run: runKey(row)}],
    chart: rows => [
      h("h2", {}, "Time of the tests that ran"),
      lineChart({
        title: "Time of the tests that ran",
        about: counted(rows.length, "run"),
        x: timeAxis,
        y: {title: "time", text: seconds, zero: true},
        series: linesOf(
          [...rows].reverse(),
          sourceOf,
          row => row.seconds,
          row => seconds(row.seconds),
        ),
      }),
      h("h2", {}, "Tests that failed"),
      lineChart({
        title: "Tests that failed",
        about: counted(rows.length, "run"),
        x: timeAxis,
        y: {title: "failed", zero: true, whole: true},
        series: linesOf(
          [...rows].reverse(),
          sourceOf,
          row => row.failed,
          row => counted(row.failed, "failed test"),
        ),
      }),
    ],
  },
  {
    name: "unsteady",
    title: "Unsteady tests",
    noun: "test",
    words: storeHistoryWords,
    empty: "no test has these words",
    absent: "The verdict of no test has changed in the runs that are kept.",
    rows: unsteadyTests,
    columns: [
      {title: "test", width: 12, grow: 3, text: row => row.name},
      {title: "flaky", width: 5, text: row => (row.flaky ? "! flaky" : ""), key: row => !row.flaky},
      countColumn("runs", 4, row => row.runs),
      failedColumn,
      countColumn("changes", 5, row => row.changes),
    ],
    address: row => ["tests", {test: row.name, history: "1"}],
    chart: rows => [
      h("h2", {}, "Runs that failed"),
      barChart({
        title: "Runs that failed",
        about: "Tests whose verdict changed",
        bars: rows.slice(0, mostBars).map(row => ({
          label: row.name,
          value: row.failed,
          kind: row.flaky ? 5 : 0,
          text: `${number(row.failed)} of ${number(row.runs)}`,
        })),
      }),
      rows.length > mostBars && h("p", {class: "quiet"}, `and ${number(rows.length - mostBars)} more`),
    ],
  },
  {
    name: "saved",
    title: "Time saved",
    noun: "audit",
    words: storeHistoryWords,
    empty: "no audit has these words",
    absent: "No audit is stored yet. Run all tests, then compare: that says what the plan would have saved, and missed.",
    rows: history => history.audits.map((one, i) => ({...one, key: String(i)})),
    columns: [
      whenColumn,
      {title: "commit", width: 6, grow: 1, text: row => shortCommit(row.commit)},
      countColumn("tests", 4, row => row.tests),
      countColumn("selected", 5, row => row.selected),
      failedColumn,
      countColumn("missed", 5, row => row.missed.length),
      timeColumn("all", row => row.full_us / 1e6),
      timeColumn("selected", row => row.selected_us / 1e6),
      {title: "saved", width: 5, right: true, text: row => percent(saved(row), 1), key: saved},
    ],
    chart: rows => [
      h("h2", {}, "Time saved"),
      lineChart({
        title: "Share of the tests' time that the plan saves",
        about: counted(rows.length, "audit"),
        x: timeAxis,
        y: {title: "saved", text: n => `${Math.round(100 * n)} %`, zero: true},
        series: linesOf(
          [...rows].reverse(),
          () => "saved",
          saved,
          row => percent(saved(row), 1),
        ),
      }),
    ],
  },
  {
    name: "measurements",
    title: "Measurements",
    noun: "measurement",
    words: ["store", "info"],
    empty: "no measurement has these words",
    absent: "Nothing was measured yet.",
    rows: store => store.measurements.map(one => ({...one, key: String(one.id), at: Date.parse(one.created) / 1000})),
    columns: [
      whenColumn,
      {title: "commit", width: 6, grow: 1, text: row => shortCommit(row.commit) + (row.dirty ? " + changes" : "")},
      countColumn("tests", 4, row => row.tests),
      countColumn("measured", 6, row => row.measured),
      countColumn("incomplete", 6, row => row.incomplete),
      {title: "state", width: 6, text: row => (row.complete ? "complete" : "interrupted")},
    ],
    chart: rows => [
      h("h2", {}, "Measured tests"),
      lineChart({
        title: "Measured tests",
        about: counted(rows.length, "measurement"),
        x: timeAxis,
        y: {title: "tests", zero: true, whole: true},
        series: linesOf(
          [...rows].reverse(),
          () => "measured",
          row => row.measured,
          row => counted(row.measured, "test"),
        ),
      }),
    ],
  },
];
