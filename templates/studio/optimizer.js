// Optimizer: what a budget of time buys: of the change along the front of plans, of all tests by sets of `morph optimize`.
import {commands} from "./actions.js";
import {choosePoint, scatterChart} from "./chart.js";
import {makeFilters, notes, offerButtons, placeholder} from "./controls.js";
import {fill, h} from "./dom.js";
import {counted, number, percent, seconds} from "./format.js";
import {frontOf, frontWords, setsOf, setWords} from "./optimizer_budgets.js";
import {twoPanes} from "./panes.js";
import {Table} from "./table.js";

const shareText = n => percent(n, 1);
const frontColumns = [
  {title: "time", width: 5, right: true, text: row => seconds(row.seconds), key: row => row.seconds},
  {title: "tests", width: 4, right: true, text: row => number(row.tests), key: row => row.tests},
  {title: "of the change", width: 7, right: true, text: row => shareText(row.changed), key: row => row.changed},
  {title: "at most", width: 5, right: true, text: row => shareText(row.at_most), key: row => row.at_most},
  {title: "of all lines", width: 6, right: true, text: row => shareText(row.lines), key: row => row.lines},
  {
    title: "kills",
    width: 4,
    right: true,
    text: row => (row.kills === undefined ? "" : shareText(row.kills)),
    key: row => row.kills,
  },
  {title: "note", width: 5, grow: 1, text: row => (row.isPlan ? "the plan" : "")},
];
const setColumns = [
  {title: "kept", width: 4, text: row => (row.kept ? "✓ kept" : "–"), key: row => !row.kept},
  {title: "test", width: 12, grow: 3, text: row => row.name},
  {title: "time", width: 4, right: true, text: row => seconds(row.seconds), key: row => row.seconds},
  {title: "covers", width: 4, right: true, text: row => number(row.covers), key: row => row.covers},
  {title: "alone", width: 4, right: true, text: row => number(row.alone), key: row => row.alone},
  {title: "same as", width: 8, grow: 1, text: row => row.same_as || ""},
];

/// What belongs to the choice of the address: how budgets are asked and shown.
const views = {
  change: {
    words: frontWords,
    what: "front of the change",
    budgets: frontOf,
    columns: frontColumns,
    label: "Sets of tests",
    rows: found => found.budgets,
  },
  all: {
    words: setWords,
    what: "smallest set of tests",
    budgets: setsOf,
    columns: setColumns,
    label: "Tests by what they cover",
    rows: found => (found.set ? found.set.tests : []),
  },
};
const viewOf = app => (app.router.words.of === "all" ? views.all : views.change);

export const optimizerScreen = {
  name: "optimizer",
  title: "Optimizer",
  about: "what a budget of time buys, of the change and of all tests",
  words: app => viewOf(app).budgets(app, false).words,
  open(app) {
    const filters = makeFilters(app, [
      {
        word: "of",
        title: "Tests for",
        options: () => [
          ["", "the change"],
          ["all", "everything that is covered"],
        ],
        clears: ["at"],
      },
    ]);
    const slider = h("input", {
      type: "range",
      min: 0,
      step: 1,
      "aria-describedby": "bought",
      onchange: event => app.router.set({at: event.target.value}),
      oninput: event => view === views.change && app.router.set({at: event.target.value}),
    });
    const bought = h("output", {id: "bought", class: "bought"}),
      waiting = h("div", {}),
      about = h("div", {}),
      drawing = h("div", {}),
      holder = h("div", {class: "column"});
    const screenBody = h(
      "div",
      {class: "screen"},
      about,
      h("label", {class: "field budget"}, "Budget ", slider, bought),
      h(
        "div",
        {class: "panes halves"},
        h("div", {class: "column", tabindex: 0, role: "region", "aria-label": "Chart"}, drawing),
        holder,
      ),
    );
    let view = null,
      table = null,
      shown = null,
      drawn = "";
    const takeView = () => {
      if (view === viewOf(app)) return;
      view = viewOf(app);
      shown = null;
      drawn = "";
      table = new Table({
        label: view.label,
        columns: view.columns,
        id: row => row.key || row.name,
        empty: "nothing here",
        onOpen: row => row.at !== undefined && app.router.set({at: String(row.at)}),
      });
      holder.replaceChildren(table.element);
    };
    const draw = found => {
      const points = found.budgets.filter(one => one.y !== undefined);
      const key = JSON.stringify(points.map(one => [one.at, one.seconds, one.y]));
      const chosen = points.findIndex(one => one.at === found.chosen);
      if (drawn !== key) {
        drawn = key;
        drawing.replaceChildren(
          scatterChart({
            title: `Time against the share ${found.y}`,
            about: `${counted(points.length, "set")} of tests, from the cheapest to the dearest`,
            x: {title: "time", text: seconds, zero: true},
            y: {title: found.y, text: n => `${Math.round(100 * n)} %`, zero: true},
            step: true,
            others: found.others,
            kinds: found.others.length > 0 ? ["best sets", "the plan"] : [],
            points: points.map((one, i) => ({
              x: one.seconds,
              y: one.y,
              label: one.text,
              chosen: i === chosen,
              onclick: () => app.router.set({at: String(one.at)}),
            })),
          }),
        );
      }
      choosePoint(drawing, chosen);
    };
    const update = () => {
      takeView();
      filters.update();
      const entry = app.want(view.words);
      fill(waiting, [view.what, entry.status, entry.error], () =>
        placeholder(entry, view.what, offerButtons(app, [commands.measure, commands.doctor])),
      );
      screenBody.hidden = entry.value === undefined;
      if (entry.value === undefined) return;
      const found = view.budgets(app, true);
      fill(about, [view.what, found.about, entry.value.notes], () => [h("p", {}, found.about), notes(entry.value.notes)]);
      slider.parentElement.hidden = found.budgets.length === 0;
      slider.max = found.budgets.length - 1;
      if (Number(slider.value) !== found.chosen) slider.value = found.chosen;
      slider.setAttribute("aria-valuetext", found.text);
      if (bought.textContent !== found.text) bought.textContent = found.text;
      const rows = view.rows(found);
      if (shown !== rows) {
        shown = rows;
        table.setRows(rows);
      }
      if (view === views.change) table.select(String(found.chosen));
      draw(found);
    };
    return {
      element: h("div", {class: "fill"}, filters.element, waiting, screenBody),
      update,
      get table() {
        return table;
      },
    };
  },
};
