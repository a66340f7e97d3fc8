// A screen of a table and the details of its chosen row.
import {button, h} from "./dom.js";

/// update() of details fills `body`; close() is called by the button and by Escape.
export function makeDetails(label, close) {
  const title = h("h2", {tabindex: -1});
  const body = h("div", {class: "body"});
  const element = h(
    "aside",
    {"aria-label": label, hidden: true, onkeydown: event => event.key === "Escape" && close()},
    h("div", {class: "top"}, title, button("Close", close, {"aria-label": "Close the details"})),
    body,
  );
  return {element, title, body};
}

export function twoPanes(first, second) {
  return h("div", {class: "panes"}, first, second);
}
