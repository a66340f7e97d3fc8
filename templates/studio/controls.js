// Parts of several screens: search and choices, whose values are words of the address; notes; what to do where data are missing.
import {button, fill, h} from "./dom.js";
import {counted} from "./format.js";

/// Fields: {word, title} is a search; with options(): [[value, title]...] it is a choice; a change clears the words `clears`.
export function makeFilters(app, fields) {
  const made = fields.map(field => {
    const cleared = Object.fromEntries((field.clears || []).map(word => [word, ""]));
    const say = event => app.router.set({...cleared, [field.word]: event.target.value});
    const control = field.options
      ? h("select", {onchange: say})
      : h("input", {
          type: "search",
          oninput: say,
          placeholder: "words, in any order",
          spellcheck: "false",
          autocomplete: "off",
          "data-search": true,
        });
    return {field, control, element: h("label", {class: "field"}, field.title + " ", control)};
  });
  const result = h("output", {class: "quiet", role: "status"});
  const element = h(
    "div",
    {class: "filters", role: "search"},
    made.map(one => one.element),
    result,
  );
  const update = text => {
    for (const {field, control} of made) {
      const value = app.router.words[field.word] || "";
      if (field.options) {
        const options = field.options();
        fill(control, options, () => options.map(([name, title]) => h("option", {value: name}, title)));
        if (value !== "" && !options.some(([name]) => name === value)) control.append(h("option", {value}, value));
      }
      if (control.value !== value) control.value = value;
    }
    if (text !== undefined && result.textContent !== text) result.textContent = text;
  };
  return {element, update};
}

/// What stands in the place of a document that is not there yet; nothing if it is.
export function placeholder(entry, what, remedy) {
  if (entry.value !== undefined) return null;
  if (entry.status === "failed") {
    const {error} = entry;
    const text = error.startsWith("there is no ") ? "T" + error.slice(1) : `There is no ${what}: ${error}`;
    return [h("p", {class: "absent"}, text), remedy || null];
  }
  return h("p", {class: "quiet", "aria-busy": "true"}, `Reading the ${what} …`);
}

/// What a command remarks on its answer, behind its number.
export function notes(list) {
  if (!list || list.length === 0) return null;
  return h(
    "details",
    {class: "notes"},
    h("summary", {}, counted(list.length, "note")),
    h(
      "ul",
      {},
      list.map(note => h("li", {}, note)),
    ),
  );
}

/// A button for each command, which puts it into the command bar.
export function offerButtons(app, list) {
  return h(
    "p",
    {class: "buttons"},
    list.map(({title, words}) => button(title, () => app.bar.offer(words, title))),
  );
}
