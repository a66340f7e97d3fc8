// Specs: what is typed for activities: a seed, the order, names of files; and the wizard of new specs.
import {button, fill, h} from "./dom.js";
import {number} from "./format.js";
import {casesOfOrder} from "./spec_commands.js";

const typedFields = [
  {word: "typed", title: "Seed to type in", width: "wide", hint: "JSON, such as [5,5,7]"},
  {word: "order", title: "Order", width: "short", hint: "2"},
  {word: "state", title: "State file", width: "", hint: "specs.state"},
  {word: "script", title: "Script", width: "", hint: "session"},
];
const wizardFields = [
  {name: "name", title: "Name", hint: "versions"},
  {name: "header", title: "Header", hint: "versions.hpp"},
  {name: "function", title: "Function", hint: "compare"},
];

function textField({title, width = "", hint}, onchange) {
  const input = h("input", {type: "text", spellcheck: "false", placeholder: hint, class: width, onchange});
  return {input, element: h("label", {class: "field"}, title + " ", input)};
}

/// `morph spec new`: shows what it would write, or writes it.
function makeWizard(app) {
  const fields = wizardFields.map(one => ({...one, ...textField(one)}));
  const words = () => {
    const value = name => fields.find(one => one.name === name).input.value.trim();
    return ["spec", "new", value("name"), "--header", value("header"), "--function", value("function")];
  };
  const offer = (title, ...more) => {
    const empty = fields.find(one => one.input.value.trim() === "");
    if (empty) return void empty.input.focus();
    app.bar.offer([...words(), ...more], title);
  };
  return h(
    "details",
    {class: "wizard"},
    h("summary", {}, "New spec of a function"),
    h(
      "div",
      {class: "buttons"},
      fields.map(one => one.element),
      button("Show the new spec", () => offer("Show the new spec", "--dry-run")),
      button("Write the new spec", () => offer("Write the new spec")),
    ),
  );
}

/// {element, update(spec, seeds)}: `seeds` are those of the pool.
export function makeSpecFields(app) {
  const fields = typedFields.map(one => ({
    ...one,
    ...textField(one, event => app.router.set({[one.word]: event.target.value.trim()})),
  }));
  const cost = h("p", {class: "quiet", role: "status"});
  const element = h(
    "div",
    {class: "typed"},
    h(
      "details",
      {open: typedFields.some(one => app.router.words[one.word])},
      h("summary", {}, "Typed in"),
      h(
        "div",
        {class: "buttons"},
        fields.map(one => one.element),
      ),
    ),
    makeWizard(app),
    cost,
  );
  const update = (spec, seeds) => {
    for (const {word, input} of fields) if (document.activeElement !== input) input.value = app.router.words[word] || "";
    const order = Math.min(9, Number(app.router.words.order) || 2);
    const text = n => number(Math.min(n, 1e12)) + (n > 1e12 ? " and more" : "");
    fill(
      cost,
      [spec.name, seeds, order],
      () =>
        seeds > 0
        && `With ${number(seeds)} seeds: first order at most ${text(casesOfOrder(spec, seeds, 1))} cases, `
          + `order ${order} at most ${text(casesOfOrder(spec, seeds, order))}.`,
    );
  };
  return {element, update};
}
