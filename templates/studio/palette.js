// Ctrl-K: finds any screen and any action by words of its name.
import {h} from "./dom.js";

const mostShown = 50;

export class Palette {
  constructor(app) {
    this.app = app;
    this.input = h("input", {
      type: "text",
      role: "combobox",
      "aria-expanded": "true",
      "aria-controls": "found",
      "aria-autocomplete": "list",
      "aria-label": "Find an action or a screen",
      placeholder: "Find an action or a screen",
      oninput: () => this.show(),
      onkeydown: event => this.key(event),
    });
    this.list = h("ul", {id: "found", role: "listbox", "aria-label": "Actions and screens"});
    this.element = h(
      "dialog",
      {class: "palette", "aria-label": "Find", onclick: event => event.target === this.element && this.element.close()},
      h("div", {class: "inner"}, this.input, this.list),
    );
    document.addEventListener("keydown", event => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        this.open();
      }
    });
  }
  open() {
    if (this.element.open) return this.element.close();
    this.actions = this.app.actions();
    this.input.value = "";
    this.show();
    this.element.showModal();
    this.input.focus();
  }
  show() {
    const words = this.input.value
      .toLowerCase()
      .split(/\s+/)
      .filter(word => word !== "");
    const have = text => words.every(word => text.toLowerCase().includes(word));
    const byTitle = this.actions.filter(action => have(action.title));
    const byHint = this.actions.filter(action => !have(action.title) && have(`${action.title} ${action.hint || ""}`));
    this.found = [...byTitle, ...byHint].slice(0, mostShown);
    this.at = 0;
    this.list.replaceChildren(
      ...this.found.map((action, i) =>
        h(
          "li",
          {role: "option", id: "found" + i, "aria-selected": "false", onclick: () => this.choose(i)},
          h("span", {}, action.title),
          h("span", {class: "quiet"}, action.hint || ""),
        ),
      ),
    );
    if (this.found.length === 0)
      this.list.append(h("li", {role: "option", "aria-disabled": "true", "aria-selected": "false"}, "nothing has these words"));
    this.mark();
  }
  mark() {
    [...this.list.children].forEach((item, i) =>
      item.setAttribute("aria-selected", String(i === this.at && this.found.length > 0)),
    );
    const item = this.found.length > 0 && this.list.children[this.at];
    if (!item) return this.input.removeAttribute("aria-activedescendant");
    this.input.setAttribute("aria-activedescendant", item.id);
    item.scrollIntoView({block: "nearest"});
  }
  key(event) {
    const moves = {ArrowDown: 1, ArrowUp: -1};
    if (event.key in moves) this.at = (this.at + moves[event.key] + this.found.length) % Math.max(1, this.found.length);
    else if (event.key === "Enter") this.choose(this.at);
    else return;
    event.preventDefault();
    this.mark();
  }
  choose(at) {
    const action = this.found[at];
    if (!action) return;
    this.element.close();
    action.run();
  }
}
