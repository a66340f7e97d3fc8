// Specs: morphisms to tick at the left, activities and cases in the middle, messages and violations at the right.
import {makeFilters, placeholder} from "./controls.js";
import {button, fill, h} from "./dom.js";
import {recordingLine, scriptListWords} from "./scripts.js";
import {counted, number} from "./format.js";
import {makeDetails} from "./panes.js";
import {caseRows} from "./spec_cases.js";
import {builtInFilters, specActivities, Ticks} from "./spec_commands.js";
import {makeSpecFields} from "./spec_fields.js";
import {makeSpecMessages} from "./spec_messages.js";
import {caseTable, showCase} from "./spec_table.js";
import {drawActivities, drawTicks} from "./spec_ticks.js";

const listWords = ["spec", "list"];

function poolOf(app, name) {
  return app.router.words.pool || `${app.buildFolder ? app.buildFolder + "/.morph/" : ""}${name}.cases.jsonl`;
}

function showWords(app, name) {
  const {by = ""} = app.router.words;
  return ["spec", "show", "--spec", name, "--pool", poolOf(app, name), ...(by ? ["--by", by] : [])];
}

/// The chosen spec of the list, or the first.
function chosenSpec(app, list) {
  return list && (list.specs.find(spec => spec.name === app.router.words.spec) || list.specs[0]);
}

export const specsScreen = {
  name: "specs",
  title: "Specs",
  about: "metamorphic specs: morphisms, cases, activities, violations",
  words: app => {
    const known = app.documents.peek(listWords),
      spec = chosenSpec(app, known && known.value);
    return spec ? showWords(app, spec.name) : listWords;
  },
  actions: app => {
    const known = app.documents.peek(listWords),
      spec = chosenSpec(app, known && known.value);
    if (!spec) return [];
    return specActivities(new Ticks(spec, app.router.words.ticks || ""), poolOf(app, spec.name), new Set(), app.router.words)
      .filter(one => !one.why)
      .map(({title, words, group}) => ({title: `Specs: ${title}`, hint: group, run: () => app.bar.offer(words, title)}));
  },
  open(app) {
    const marked = new Set();
    let spec = null,
      table = null,
      tableOf = "",
      lines = null,
      shownFor = "",
      rows = [],
      filtered = "";
    const specNames = () => {
      const entry = app.documents.peek(listWords);
      return entry && entry.value ? entry.value.specs.map((one, i) => [i === 0 ? "" : one.name, one.name]) : [["", ""]];
    };
    const caseFilters = () => [
      ["", "all"],
      ...[...builtInFilters, ...(spec ? spec["case filters"] : [])].map(one => [one, one]),
    ];
    const filters = makeFilters(app, [
      {word: "spec", title: "Spec", options: specNames, clears: ["ticks", "pool", "case", "typed"]},
      {word: "q", title: "Search"},
      {word: "by", title: "Cases", options: caseFilters},
    ]);
    const pool = h("input", {
      type: "text",
      spellcheck: "false",
      class: "pool",
      onchange: event => app.router.set({pool: event.target.value, case: ""}),
    });
    filters.element.append(h("label", {class: "field"}, "Pool ", pool));
    const details = makeDetails("Case", () => {
      app.router.set({case: ""});
      table.grid.focus();
    });
    const messages = makeSpecMessages(app, details);
    const waiting = h("div", {}),
      trouble = h("div", {}),
      recording = h("p", {role: "status"}),
      fields = makeSpecFields(app),
      activities = h("div", {class: "activities"}),
      holder = h("div", {class: "column"});
    const morphisms = h("section", {class: "column narrow morphisms", "aria-label": "Morphisms"});
    const cases = h(
      "section",
      {class: "column", "aria-label": "Cases"},
      activities,
      fields.element,
      recording,
      trouble,
      holder,
    );
    const screenBody = h(
      "div",
      {class: "screen", hidden: true},
      filters.element,
      h("div", {class: "panes specs3"}, morphisms, cases, messages.element),
    );
    const mark = id => {
      if (!marked.delete(id)) marked.add(id);
      table.drawn = "";
      table.draw();
      app.draw();
    };
    const markAll = on => {
      for (const i of table.shown) {
        if (on) marked.add(table.rows[i].id);
        else marked.delete(table.rows[i].id);
      }
      table.drawn = "";
      table.draw();
      app.draw();
    };
    const marking = h(
      "p",
      {class: "buttons"},
      h("span", {class: "quiet"}, "m marks the chosen case"),
      button("Mark all shown", () => markAll(true)),
      button("Unmark all shown", () => markAll(false)),
    );
    const takeSpec = () => {
      if (tableOf === spec.name) return;
      tableOf = spec.name;
      marked.clear();
      lines = null;
      table = caseTable(app, spec, marked, mark);
      holder.replaceChildren(marking, table.element);
    };
    const takeCases = (shown, executer) => {
      const now = shown.status === "failed" ? [] : shown.value;
      if (!now || (now === lines && shownFor === executer) || (now.length === 0 && lines && lines.length === 0)) return;
      lines = now;
      shownFor = executer;
      rows = caseRows(lines, executer);
      table.setRows(rows);
    };
    const update = () => {
      const list = app.want(listWords);
      fill(waiting, [list.status, list.error, Boolean(list.value)], () => placeholder(list, "spec"));
      screenBody.hidden = list.value === undefined;
      spec = chosenSpec(app, list.value);
      if (!spec) return;
      const ticks = new Ticks(spec, app.router.words.ticks || "");
      if (document.activeElement !== pool) pool.value = poolOf(app, spec.name);
      drawTicks(app, morphisms, ticks);
      takeSpec();
      drawActivities(app, activities, specActivities(ticks, poolOf(app, spec.name), marked, app.router.words));
      const line = recordingLine(app.want(scriptListWords).value);
      fill(recording, line.key, line.draw);
      const shown = app.want(showWords(app, spec.name));
      fields.update(spec, rows.filter(row => row.from.length === 0).length);
      takeCases(shown, ticks.chosen("executers")[0] || "");
      fill(
        trouble,
        [shown.status, shown.error],
        () => shown.status === "failed" && h("p", {class: "quiet"}, `No pool yet: ${shown.error}`),
      );
      const {q = "", case: id = ""} = app.router.words;
      if (filtered !== q) {
        filtered = q;
        table.filter(q);
      }
      filters.update(counted(table.shown.length, "case") + (marked.size > 0 ? `, ${number(marked.size)} marked` : ""));
      table.select(id || null);
      messages.update(spec, rows);
      const treeWords = ["spec", "show", "--spec", spec.name, "--pool", poolOf(app, spec.name), "--tree", id];
      showCase(app, details, treeWords, id, rows);
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
