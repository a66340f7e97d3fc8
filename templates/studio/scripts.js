// Scripts: recorded, viewed, edited, stored, loaded and played.
import {makeFilters, placeholder} from "./controls.js";
import {button, fill, h} from "./dom.js";
import {counted, number} from "./format.js";
import {makeDetails, twoPanes} from "./panes.js";
import {makeScriptDetails} from "./script_details.js";
import {Table} from "./table.js";

export const scriptListWords = ["script", "list"];
const defaultName = "session";

const scriptColumns = [
  {title: "script", width: 8, grow: 1, text: row => row.name},
  {title: "commands", width: 6, right: true, text: row => (row.error ? "" : number(row.commands)), key: row => row.commands},
  {
    title: "state",
    width: 7,
    text: row => (row.recording ? "● recording" : row.error ? "✗ not playable" : "✓ playable"),
    draw: row => {
      const kind = row.recording ? "selected" : row.error ? "failed" : "passed";
      return h("span", {class: "tag " + kind}, row.recording ? "● recording" : row.error ? "✗ not playable" : "✓ playable");
    },
  },
  {title: "what it is for", width: 10, grow: 3, text: row => row.error || row.about || ""},
  {title: "path", width: 10, grow: 2, text: row => row.path},
];

/// The script that is being recorded, as far as the last list says.
export function recordingOf(list) {
  return list && list.scripts.find(one => one.recording);
}

/// What says on a screen that a recording goes on: [nodes], and a key that changes with them.
export function recordingLine(list) {
  const recording = recordingOf(list);
  if (!recording) return {key: "", draw: () => null};
  const count = counted(recording.commands || 0, "command");
  return {
    key: recording.path + count,
    draw: () => [
      h("span", {class: "tag selected"}, "● recording"),
      " into ",
      h("a", {href: "#/scripts?script=" + encodeURIComponent(recording.path)}, recording.name),
      `: ${count}`,
    ],
  };
}

function scriptActions(app) {
  const known = app.documents.peek(scriptListWords),
    recording = recordingOf(known && known.value);
  const name = app.router.words.name || defaultName;
  const {state = ""} = app.router.words;
  const file = state || "scripts.state";
  return [
    {title: "Record", words: ["script", "record", name], why: recording ? "end the recording first" : ""},
    {title: "End recording", words: ["script", "stop"], why: recording ? "" : "nothing is being recorded"},
    {title: "Store all scripts and pools", words: ["spec", "state", "save", file]},
    {title: "Load them", words: ["spec", "state", "load", file]},
  ];
}

export const scriptsScreen = {
  name: "scripts",
  title: "Scripts",
  about: "scripts recorded, edited and played",
  words: () => scriptListWords,
  actions: app =>
    scriptActions(app)
      .filter(one => !one.why)
      .map(({title, words}) => ({title: "Scripts: " + title, hint: words.join(" "), run: () => app.bar.offer(words, title)})),
  open(app) {
    let rows = null;
    const table = new Table({
      label: "Scripts",
      columns: scriptColumns,
      id: row => row.path,
      empty: "no script here: Record makes one of what you do next, New script one that you type",
      onOpen: row => app.router.set({script: row.path, new: ""}),
    });
    const close = () => {
      app.router.set({script: "", new: ""});
      table.grid.focus();
    };
    const details = makeDetails("Script", close),
      inside = makeScriptDetails(app, details);
    const filters = makeFilters(app, [{word: "q", title: "Search"}]);
    const field = (word, title, value) => {
      const input = h("input", {
        type: "text",
        spellcheck: "false",
        placeholder: value,
        onchange: event => app.router.set({[word]: event.target.value}),
      });
      return {word, input, element: h("label", {class: "field"}, title + " ", input)};
    };
    const fields = [field("name", "Name", defaultName), field("state", "State file", "scripts.state")];
    const buttons = h("div", {class: "buttons"}),
      recording = h("p", {role: "status"}),
      waiting = h("div", {});
    const screenBody = h(
      "div",
      {class: "screen"},
      h(
        "div",
        {class: "filters"},
        fields.map(one => one.element),
        buttons,
      ),
      recording,
      filters.element,
      twoPanes(table.element, details.element),
    );
    const update = () => {
      const entry = app.want(scriptListWords);
      fill(waiting, [entry.status, entry.error], () => placeholder(entry, "list of scripts"));
      screenBody.hidden = entry.value === undefined;
      if (entry.value === undefined) return;
      if (rows !== entry.value.scripts) {
        rows = entry.value.scripts;
        table.setRows(rows);
      }
      const {q = "", script = "", new: isNew = ""} = app.router.words;
      for (const {word, input} of fields) if (document.activeElement !== input) input.value = app.router.words[word] || "";
      const actions = scriptActions(app);
      fill(buttons, actions, () => [
        actions.map(({title, words, why}) =>
          button(title, () => app.bar.offer(words, title), {disabled: Boolean(why), title: why || false}),
        ),
        button("New script", () => app.router.set({script: "", new: "1"})),
      ]);
      const line = recordingLine(entry.value);
      fill(recording, line.key, () => line.draw() || "Nothing is being recorded.");
      if (table.query !== q) table.filter(q);
      filters.update(counted(table.shown.length, "script"));
      table.select(script || null);
      const row = rows.find(one => one.path === script);
      inside.update(isNew ? {isNew: true} : row, script !== "" || isNew !== "", rows);
    };
    return {element: h("div", {class: "fill"}, waiting, screenBody), update, table};
  },
};
