// What pages of one result share: a screen that stands in such pages alone, tables of figures.
import {placeholder} from "./controls.js";
import {fill, h, shareBar} from "./dom.js";

/// A screen that shows the document of a command, whatever its options were: the page has one of that command.
export function resultScreen({name, title, about, command, what, draw}) {
  const wordsIn = app => {
    const run = [...app.runs.all.values()].find(one => command.every((word, i) => one.arguments[i] === word));
    return run ? run.arguments : command;
  };
  return {
    name,
    title,
    about,
    savedOnly: true,
    words: wordsIn,
    open(app) {
      const element = h("div", {class: "result"});
      const update = () => {
        const entry = app.want(wordsIn(app));
        fill(element, [entry.status, entry.error], () => placeholder(entry, what) || draw(entry.value, app));
      };
      return {element, update};
    },
  };
}

/// Rows of texts and numbers, each number with a bar of its part of the column's largest; `bars` are the numbers of the columns with bars.
export function figureTable({label, columns, rows, bars = []}) {
  const largest = columns.map((none, i) => Math.max(0, ...rows.map(row => Math.abs(Number(row[i])) || 0)));
  const cell = (value, i) => {
    const isNumber = typeof value === "number";
    if (i === 0) return h("th", {scope: "row"}, String(value ?? ""));
    return h(
      "td",
      {class: isNumber ? "right" : ""},
      String(value ?? ""),
      isNumber && bars.includes(i) && largest[i] > 0 && shareBar(Math.abs(value) / largest[i], value < 0 ? "below" : "busy"),
    );
  };
  return h(
    "div",
    {class: "scroll", role: "region", tabindex: 0, "aria-label": label},
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, columns.map((column, i) => h("th", {scope: "col", class: bars.includes(i) && "right"}, column)))),
      h("tbody", {}, rows.map(row => h("tr", {}, row.map(cell)))),
    ),
  );
}

/// Figures and what they are, as a list.
export function figureList(figures) {
  return h(
    "ul",
    {class: "figures"},
    figures.filter(Boolean).map(([value, what]) => h("li", {}, h("b", {}, value), " ", what)),
  );
}
