// Makes elements. Text becomes text nodes, never markup.

/// Attributes: false, null and undefined are left out, true is empty; functions are listeners (`onclick`).
export function h(tag, attributes = {}, ...children) {
  return made(document.createElement(tag), attributes, children);
}

/// The same for a part of a drawing.
export function drawn(tag, attributes = {}, ...children) {
  return made(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function made(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

const keys = new WeakMap();

/// Fills the element with what make() gives, unless the key is that of the last time: focus and selection stay.
export function fill(element, key, make) {
  const text = JSON.stringify(key);
  if (keys.get(element) === text) return;
  keys.set(element, text);
  element.replaceChildren(...[make()].flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
}

export function button(title, onclick, attributes = {}) {
  return h("button", {type: "button", onclick, ...attributes}, title);
}

/// A bar of a share, for the eye; the number beside it says the same.
export function shareBar(share, kind = "good") {
  const fill = h("span", {class: "fill " + kind});
  fill.style.width = `${Math.round(1000 * Math.min(1, Math.max(0, share || 0))) / 10}%`;
  return h("span", {class: "share", "aria-hidden": "true"}, fill);
}
