// Plan: why each test is selected, deselected or deferred; run, rerun failed, stop.
import {commands} from "./actions.js";
import {makeFilters, notes, offerButtons, placeholder} from "./controls.js";
import {button, fill, h} from "./dom.js";
import {counted, number, seconds, shortCommit} from "./format.js";
import {splitReason, tally, testKey, untimed} from "./model.js";
import {makeDetails, twoPanes} from "./panes.js";
import {addressOf} from "./route.js";
import {Table} from "./table.js";

const signs = {selected: "▶ selected", deselected: "– deselected", deferred: "⏸ deferred"};
const columns = [
  {title: "rank", width: 3, right: true, text: row => (row.rank === null ? "" : String(row.rank)), key: row => row.rank},
  {
    title: "decision",
    width: 7,
    text: row => row.decision,
    draw: row => h("span", {class: "tag " + row.decision}, signs[row.decision] || row.decision),
  },
  {title: "test", width: 12, grow: 4, text: row => row.name},
  {title: "suite", width: 5, grow: 1, text: row => row.suite},
  {title: "time", width: 4, right: true, text: row => seconds(row.seconds), key: row => row.seconds},
  {title: "why", width: 10, grow: 3, text: row => row.reasons.join(", ")},
  {title: "marks", width: 4, grow: 1, text: row => row.marks.join(", ")},
];
export const planActions = [commands.runSelected, commands.rerunFailed, commands.planAgain, commands.measure];

const failedLast = test => test.reasons.some(reason => reason.startsWith("failed-recently"));

export const planScreen = {
  name: "plan",
  title: "Plan",
  about: "why each test is selected or not; run, rerun failed, stop",
  words: app => (app.router.words.test ? ["plan", "--why", app.router.words.test] : ["plan"]),
  actions: app =>
    planActions.map(({title, words}) => ({title, hint: "of this screen", run: () => app.bar.offer(words, title)})),
  open(app) {
    let plan,
      rows = [];
    const summary = h("div", {class: "summary"});
    const waiting = h("div", {});
    const table = new Table({
      label: "Tests of the plan",
      columns,
      id: row => row.key,
      empty: "no test of the plan has these words and filters",
      onOpen: row => app.router.set({test: row.name, suite: row.suite}),
      onSort: (column, down) => app.router.set({sort: columns[column].title, down: down ? "1" : ""}),
    });
    const details = makeDetails("Why", () => {
      app.router.set({test: "", suite: ""});
      table.grid.focus();
    });
    let options = {decision: [], reason: [], in: []};
    const decisions = () => [
      ["", `all ${number(rows.length)}`],
      ...tally(rows, row => row.decision).map(([name, n]) => [name, `${name} (${number(n)})`]),
      ["failed", `failed last (${number(rows.filter(failedLast).length)})`],
    ];
    const reasons = () => [
      ["", "any"],
      ...tally(
        rows.flatMap(row => [...new Set(row.reasons.map(reason => splitReason(reason)[0]))]),
        kind => kind,
      ).map(([kind, n]) => [kind, `${kind} (${number(n)})`]),
    ];
    const suites = () => [
      ["", "all"],
      ...(plan ? plan.suites.map(suite => [suite.name, `${suite.name} (${suite.selected} of ${suite.total})`]) : []),
    ];
    const filters = makeFilters(app, [
      {word: "q", title: "Search"},
      {word: "decision", title: "Decision", options: () => options.decision},
      {word: "reason", title: "Reason", options: () => options.reason},
      {word: "in", title: "Suite", options: () => options.in},
    ]);
    const buttons = h(
      "div",
      {class: "buttons"},
      planActions.map(({title, words}, i) => button(title, () => app.bar.offer(words, title), i === 0 ? {class: "main"} : {})),
    );
    const screenBody = h(
      "div",
      {class: "screen", hidden: true},
      buttons,
      summary,
      filters.element,
      twoPanes(table.element, details.element),
    );
    let filtered = null;
    const update = () => {
      const entry = app.want(["plan"]);
      fill(waiting, [entry.status, entry.error], () =>
        placeholder(entry, "plan", offerButtons(app, [commands.doctor, commands.measure])),
      );
      screenBody.hidden = entry.value === undefined;
      if (entry.value === undefined) return;
      const {
        q = "",
        decision = "",
        reason = "",
        in: suite = "",
        sort = "",
        down = "",
        test = "",
        suite: testSuite = "",
      } = app.router.words;
      if (entry.value !== plan) {
        plan = entry.value;
        rows = plan.tests.map(one => ({...one, key: testKey(one.suite, one.name)}));
        rows.sort((a, b) => (a.rank === null) - (b.rank === null) || a.rank - b.rank);
        table.setRows(rows);
        options = {decision: decisions(), reason: reasons(), in: suites()};
        filtered = null;
      }
      const column = columns.findIndex(one => one.title === sort);
      table.sort(column, column >= 0 && down === "1");
      const wanted = JSON.stringify([q, decision, reason, suite]);
      if (wanted !== filtered) {
        filtered = wanted;
        const keeps = [
          decision === "failed" ? failedLast : decision && (row => row.decision === decision),
          reason && (row => row.reasons.some(one => splitReason(one)[0] === reason)),
          suite && (row => row.suite === suite),
        ].filter(Boolean);
        table.filter(q, keeps.length > 0 ? row => keeps.every(keep => keep(row)) : null);
      }
      filters.update(
        table.shown.length === rows.length
          ? counted(rows.length, "test")
          : `${number(table.shown.length)} of ${counted(rows.length, "test")}`,
      );
      fill(summary, [entry.at, plan.state], () => planSummary(plan));
      table.select(test ? testKey(testSuite, test) : null);
      showWhy(app, details, test && rows.find(row => row.name === test && (!testSuite || row.suite === testSuite)), test);
    };
    return {element: h("div", {class: "fill"}, waiting, screenBody), update, table};
  },
};

function planSummary(plan) {
  const {totals, base} = plan;
  return [
    h(
      "p",
      {},
      h("b", {}, plan.state),
      `: ${number(totals.selected)} of ${counted(totals.total, "test")} selected, ${seconds(totals.selected_seconds)} of `,
      `${seconds(totals.total_seconds)}`,
      untimed(plan) > 0 ? `, and ${number(untimed(plan))} of unknown time` : "",
      base && base.commit ? `; baseline ${shortCommit(base.commit)}` : "",
      base && base.distance ? `, ${counted(base.distance, "commit")} back` : "",
    ),
    notes(plan.notes),
  ];
}

function showWhy(app, details, row, test) {
  details.element.hidden = !test;
  if (!test) return;
  const entry = app.want(["plan", "--why", test]);
  fill(details.title, test, () => test);
  fill(details.body, [row && row.key, row && row.decision, row && row.rank, entry.status, entry.at, entry.error], () => {
    const answers = entry.value ? entry.value.tests.filter(one => !row || one.suite === row.suite) : [];
    return [
      row
        ? h(
            "p",
            {},
            h("span", {class: "tag " + row.decision}, signs[row.decision] || row.decision),
            row.rank === null ? "" : `, rank ${row.rank}`,
            `, suite ${row.suite}, ${seconds(row.seconds)}`,
          )
        : h("p", {}, "The plan does not have this test now."),
      placeholder(entry, "reasons") ||
        answers.map(one =>
          h(
            "dl",
            {},
            one.reasons.map(({reason, because}) => [h("dt", {}, reason), h("dd", {}, because)]),
          ),
        ),
      row && row.marks.length > 0 && h("p", {}, "Marks: ", row.marks.join(", ")),
      row &&
        h(
          "p",
          {},
          h("a", {href: addressOf("tests", {test: row.name, suite: row.suite})}, "its time, verdicts, lines and kills"),
          ", ",
          h("a", {href: addressOf("coverage", {test: row.name, suite: row.suite})}, "what it executes"),
        ),
    ];
  });
}
