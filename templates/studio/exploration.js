// Exploration: borders between classes of inputs, in pages of `morph spec explore`.
import {scatterChart} from "./chart.js";
import {h} from "./dom.js";
import {counted, number} from "./format.js";
import {figureList, figureTable, resultScreen} from "./result_page.js";

const classKinds = 5, // of classes; the next kind are borders
  mostMapPoints = 4000,
  mostBorderRows = 500;

const shortOutput = text => (text.length > 30 ? text.slice(0, 29) + "…" : text);
const inputOfEnd = end => JSON.stringify(end.in);
const shortNumber = n => Number(n.toPrecision(4));

function namesOfClasses(classes) {
  const names = classes.slice(0, classKinds).map(one => shortOutput(one.output));
  if (classes.length > classKinds) names[classKinds - 1] = "other classes";
  return names;
}

/// Cases by class, and borders, where inputs are two numbers.
function drawBorders({map, classes, borders, cases}) {
  if (!map) return h("p", {class: "quiet"}, "Inputs are not two numbers, so that there is no map.");
  const names = namesOfClasses(classes);
  const kindOf = which => Math.min(which === null ? names.length : which, names.length - 1);
  const nameOf = which => (which === null ? "no class" : classes[which].output);
  const starts = map.cases.map(([x, y, which]) => ({x, y, kind: kindOf(which), label: `${x}, ${y}: ${nameOf(which)}`}));
  const between = map.borders.map(([x, y], i) => ({
    x,
    y,
    kind: names.length,
    label: `border ${shortNumber(x)}, ${shortNumber(y)}: ${nameOf(borders[i].a.class)} and ${nameOf(borders[i].b.class)}`,
  }));
  const points = [...starts.slice(0, mostMapPoints / 2), ...between.slice(0, mostMapPoints / 2)];
  const left = starts.length + between.length - points.length;
  return [
    scatterChart({
      title: "Borders between classes",
      about: `${counted(cases, "case")} by class, and ${counted(borders.length, "border")}`,
      x: {title: map.axes[0] || "first number"},
      y: {title: map.axes[1] || "second number"},
      points,
      kinds: [...names, "border"],
    }),
    left > 0 && h("p", {class: "quiet"}, `${number(left)} more are not drawn`),
  ];
}

function drawExploration(found) {
  const {classes, borders, runs} = found;
  const rows = borders.slice(0, mostBorderRows);
  const output = end => (classes[end.class] ? classes[end.class].output : "");
  return [
    h("p", {}, `Spec ${found.spec}, ${found.strategy}, by ${found.mid}, executer ${found.executer}, seed ${found.seed}`),
    figureList([
      [number(borders.length), borders.length === 1 ? "border" : "borders"],
      [number(classes.length), classes.length === 1 ? "class" : "classes"],
      [number(found.searches), found.searches === 1 ? "search" : "searches"],
      [number(runs.cases + runs.steps + runs.midpoints + runs.to_confirm), "runs"],
    ]),
    drawBorders(found),
    h("h2", {}, "Classes"),
    figureTable({
      label: "Classes",
      columns: ["output", "cases", "inputs that ran"],
      rows: classes.map(one => [one.output, one.cases, one.inputs]),
      bars: [1, 2],
    }),
    h("h2", {}, "Borders"),
    figureTable({
      label: "Borders",
      columns: ["input", "output", "its neighbour", "output of that", "distance", "ended by"],
      rows: rows.map(one => [inputOfEnd(one.a), output(one.a), inputOfEnd(one.b), output(one.b), one.width, one.ended_by]),
    }),
    borders.length > mostBorderRows && h("p", {class: "quiet"}, `and ${number(borders.length - mostBorderRows)} more`),
  ];
}

export const explorationScreen = resultScreen({
  name: "exploration",
  title: "Exploration",
  about: "borders between classes of inputs",
  command: ["spec", "explore"],
  what: "exploration",
  draw: drawExploration,
});
