// Front: time against coverage of the change, in pages of `morph plan --pareto`.
import {lineChart} from "./chart.js";
import {notes} from "./controls.js";
import {h} from "./dom.js";
import {counted, number, percent, seconds} from "./format.js";
import {figureList, figureTable, resultScreen} from "./result_page.js";

const mostFrontRows = 500;
const shareOf = n => percent(n, 1);

/// What is drawn of each set of tests: [member, name].
function curvesOf(front) {
  const isOfChange = front.of === "changed";
  return [
    isOfChange && ["changed", "changed lines"],
    ["lines", "all lines"],
    ["at_most", "no set covers more"],
    front.kills > 0 && ["kills", counted(front.kills, "known kill")],
  ].filter(Boolean);
}

function drawFront(front) {
  const {rows, plan} = front;
  if (rows.length === 0)
    return [h("p", {}, "No test that has a reason to run covers anything: there is nothing to weigh."), notes(front.notes)];
  const curves = curvesOf(front);
  const label = (row, member, name) => `${counted(row.tests, "test")}, ${seconds(row.seconds)}: ${shareOf(row[member])} ${name}`;
  const ofPlan = front.of === "changed" ? plan.changed : plan.lines;
  return [
    figureList([
      [number(plan.tests), plan.tests === 1 ? "test in the plan" : "tests in the plan"],
      [seconds(plan.seconds), "of the plan"],
      [shareOf(ofPlan), front.of === "changed" ? "of the changed lines" : "of all lines"],
      front.kills > 0 && [shareOf(plan.kills), `of ${counted(front.kills, "known kill")}`],
    ]),
    notes(front.notes),
    lineChart({
      title: "Time against coverage of the change",
      about: `${counted(rows.length, "set")} of tests, from the cheapest to the dearest, and the plan`,
      x: {title: "time", text: seconds, zero: true},
      y: {title: "covered", text: n => `${Math.round(100 * n)} %`, zero: true},
      series: [
        ...curves.map(([member, name]) => ({
          name,
          points: rows.map(row => ({x: row.seconds, y: row[member], label: label(row, member, name)})),
        })),
        {name: "the plan", points: [{x: plan.seconds, y: ofPlan, label: `the plan: ${label(plan, front.of, "")}`}]},
      ],
    }),
    figureTable({
      label: "Sets of tests",
      columns: ["time", "tests", ...curves.map(([, name]) => name)],
      rows: rows
        .slice(0, mostFrontRows)
        .map(row => [seconds(row.seconds), row.tests, ...curves.map(([member]) => shareOf(row[member]))]),
    }),
  ];
}

export const frontScreen = resultScreen({
  name: "front",
  title: "Front",
  about: "time against coverage of the change",
  command: ["plan", "--pareto"],
  what: "front",
  draw: drawFront,
});
