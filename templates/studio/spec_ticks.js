// Specs: the tick tables of morphisms, and the buttons of activities.
import {button, fill, h} from "./dom.js";
import {morphismKinds} from "./spec_commands.js";

/// Fills the element with a fieldset for each kind of morphism that the spec has. The ticks are a word of the address.
export function drawTicks(app, element, ticks) {
  const change = (key, word) => {
    app.router.set({ticks: word});
    const box = [...element.querySelectorAll("[data-tick]")].find(one => one.dataset.tick === key);
    if (box) box.focus();
  };
  const box = (key, checked, wordAfter) =>
    h("input", {type: "checkbox", checked, "data-tick": key, onchange: event => change(key, wordAfter(event.target.checked))});
  const table = ({kind, title}) => {
    const names = ticks.names(kind),
      chosen = ticks.chosen(kind);
    const all = box(kind, chosen.length === names.length, on => ticks.setAll(kind, on));
    const rows = names.map((name, i) =>
      h(
        "label",
        {class: "tick"},
        box(`${kind} ${i}`, ticks.has(kind, i), () => ticks.flip(kind, i)),
        " ",
        name,
      ),
    );
    const count = h("span", {class: "quiet"}, ` ${chosen.length} of ${names.length}`);
    return h("fieldset", {}, h("legend", {}, h("label", {}, all, " ", title), count), rows);
  };
  fill(element, [ticks.spec, app.router.words.ticks || ""], () =>
    morphismKinds.filter(({kind}) => ticks.names(kind).length > 0).map(table),
  );
}

/// A row of buttons for each group of activities.
export function drawActivities(app, element, activities) {
  const action = ({title, words, why}) =>
    button(title, () => app.bar.offer(words, title), {disabled: Boolean(why), title: why || false});
  const row = group =>
    h(
      "div",
      {class: "buttons", role: "group", "aria-label": group},
      h("span", {class: "quiet group"}, group),
      activities.filter(one => one.group === group).map(action),
    );
  const key = activities.map(one => [one.words, one.why]);
  fill(element, key, () => [...new Set(activities.map(one => one.group))].map(row));
}
