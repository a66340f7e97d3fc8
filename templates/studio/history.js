// History: runs and what they found, flaky tests, time that plans save, measurements; each as a chart and a table.
import {commands} from "./actions.js";
import {makeFilters, offerButtons, placeholder} from "./controls.js";
import {fill, h} from "./dom.js";
import {counted, number} from "./format.js";
import {historyViews} from "./history_views.js";
import {twoPanes} from "./panes.js";
import {Table} from "./table.js";

const historyCommands = [commands.record, commands.audit, commands.measure];

export const historyScreen = {
  name: "history",
  title: "History",
  about: "runs, flaky tests, time saved, measurements",
  words: app => viewNamed(app).words,
  actions: app =>
    historyCommands.map(({title, words}) => ({title, hint: "of this screen", run: () => app.bar.offer(words, title)})),
  open(app) {
    const filters = makeFilters(app, [
      {word: "of", title: "Show", options: () => historyViews.map(view => [view.name, view.title]), clears: ["q", "row"]},
      {word: "q", title: "Search"},
    ]);
    const waiting = h("div", {}),
      drawing = h("div", {}),
      holder = h("div", {class: "column"}),
      absent = h("div", {});
    const panes = twoPanes(h("div", {class: "column", tabindex: 0, role: "region", "aria-label": "Charts"}, drawing), holder);
    panes.classList.add("halves");
    const screenBody = h("div", {class: "screen"}, offerButtons(app, historyCommands), filters.element, absent, panes);
    let view = null,
      table = null,
      value = null;
    const takeView = () => {
      const now = viewNamed(app);
      if (view === now) return;
      view = now;
      value = null;
      table = new Table({
        label: view.title,
        columns: view.columns,
        id: row => row.key,
        empty: view.empty,
        onOpen: row => view.address && app.router.go(...view.address(row)),
      });
      holder.replaceChildren(table.element);
    };
    const update = () => {
      takeView();
      const entry = app.want(view.words);
      fill(waiting, [view.name, entry.status, entry.error], () => placeholder(entry, "history"));
      screenBody.hidden = entry.value === undefined;
      if (entry.value === undefined) return;
      const {q = ""} = app.router.words;
      if (value !== entry.value) {
        value = entry.value;
        const rows = view.rows(value);
        table.setRows(rows);
        drawing.replaceChildren(...[rows.length > 0 ? view.chart(rows) : null].flat().filter(Boolean));
        fill(absent, [view.name, rows.length], () => rows.length === 0 && h("p", {class: "absent"}, view.absent));
      }
      if (table.query !== q) table.filter(q);
      const all = counted(table.rows.length, view.noun);
      filters.update(table.shown.length === table.rows.length ? all : `${number(table.shown.length)} of ${all}`);
    };
    return {
      element: h("div", {class: "fill"}, waiting, screenBody),
      update,
      get table() {
        return table;
      },
    };
  },
};

function viewNamed(app) {
  return historyViews.find(view => view.name === (app.router.words.of || "")) || historyViews[0];
}
