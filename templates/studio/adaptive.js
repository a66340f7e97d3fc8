// Adaptive run: the profile over time, in pages of `morph spec run --adaptive`.
import {lineChart} from "./chart.js";
import {notes} from "./controls.js";
import {h} from "./dom.js";
import {number} from "./format.js";
import {figureList, figureTable, resultScreen} from "./result_page.js";

const mostProfileLines = 6,
  mostProfilePoints = 60,
  mostPartitionRows = 500;

/// The partitions that were the most probable at some time, each as a line.
function drawProfile({partitions, profile_over_time: times}) {
  if (times.length === 0 || partitions.length === 0) return h("p", {class: "quiet"}, "The run has no profile.");
  const largest = partitions.map((none, p) => Math.max(...times.map(at => at.profile[p])));
  const order = partitions
    .map((none, p) => p)
    .sort((a, b) => largest[b] - largest[a])
    .slice(0, mostProfileLines);
  const every = Math.ceil(times.length / mostProfilePoints);
  const shown = times.filter((none, i) => i % every === 0 || i === times.length - 1);
  const share = n => `${Math.round(1000 * n) / 10} %`;
  return [
    lineChart({
      title: "Profile over time",
      about: `The probabilities of ${order.length} of ${partitions.length} partitions, by step`,
      x: {title: "step", text: number, zero: true, whole: true},
      y: {title: "probability", text: share, zero: true},
      series: order.map(p => ({
        name: partitions[p].name,
        points: shown.map(at => ({
          x: at.step,
          y: at.profile[p],
          label: `${partitions[p].name}: ${share(at.profile[p])} at step ${at.step}`,
        })),
      })),
    }),
    partitions.length > mostProfileLines &&
      h("p", {class: "quiet"}, `${number(partitions.length - mostProfileLines)} smaller ones are not drawn`),
  ];
}

const measureOrDash = n => (n === null || n === undefined ? "–" : number(n));

function drawAdaptiveRun({spec, adaptive, violations = []}) {
  const tallies = ["tests", "violations", "not_applicable"];
  return [
    h("p", {}, `Spec ${spec}, sources ${adaptive.sources}, relations ${adaptive.relations}, executer ${adaptive.executer}`),
    figureList([
      [number(adaptive.steps), adaptive.steps === 1 ? "step" : "steps"],
      [number(adaptive.violations), adaptive.violations === 1 ? "violation" : "violations"],
      [measureOrDash(adaptive.f_measure), "F-measure"],
      [measureOrDash(adaptive.f2_measure), "F2-measure"],
      [measureOrDash(adaptive.t_measure), "T-measure"],
    ]),
    adaptive.stopped_by && h("p", {}, `Stopped by ${adaptive.stopped_by}`),
    notes(adaptive.warnings),
    drawProfile(adaptive),
    adaptive.violated_at.length > 0 &&
      h("p", {}, "Violated at steps ", adaptive.violated_at.slice(0, 100).join(", "), adaptive.violated_at.length > 100 && " …"),
    h("h2", {}, "Partitions"),
    figureTable({
      label: "Partitions",
      columns: ["partition", "tests", "violations", "n/a", "probability"],
      rows: adaptive.partitions.slice(0, mostPartitionRows).map(one => [one.name, ...tallies.map(name => one[name]), one.probability]),
      bars: [1, 2, 4],
    }),
    h("h2", {}, "Relations"),
    figureTable({
      label: "Relations",
      columns: ["relation", "by", "tests", "violations", "n/a"],
      rows: adaptive.relations_chosen.map(one => [one.name, one.by, ...tallies.map(name => one[name])]),
      bars: [2, 3],
    }),
    violations.length > 0 && [
      h("h2", {}, "Violations"),
      h("ul", {}, violations.slice(0, 100).map(one => h("li", {}, one.relation, one.why && [": ", h("code", {}, one.why)]))),
    ],
  ];
}

export const adaptiveScreen = resultScreen({
  name: "adaptive",
  title: "Adaptive run",
  about: "the profile of partitions over time",
  command: ["spec", "run", "--adaptive"],
  what: "adaptive run",
  draw: drawAdaptiveRun,
});
