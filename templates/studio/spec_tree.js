// Specs: how a case was made, as a tree of steps: each with the morphism, the input and what came out.
import {h} from "./dom.js";
import {addressOf} from "./route.js";

const mostNodes = 200;

const stepSigns = {fail: "✗", pass: "✓", none: ""};
const verdictOfCase = row => (row.fail > 0 ? "fail" : row.pass > 0 ? "pass" : "none");

/// A list of one item, the case with this id; its origins are lists inside. Rows are those of the table, by id.
export function derivationTree(app, rows, id) {
  const byId = new Map(rows.map(row => [row.id, row])),
    drawnIds = new Set();
  const words = {...app.router.words};
  const item = one => {
    const row = byId.get(one);
    if (!row) return h("li", {}, h("code", {}, one), h("span", {class: "quiet"}, " is not among the cases that are shown"));
    const isAgain = drawnIds.has(one),
      isRoot = drawnIds.size === 0;
    drawnIds.add(one);
    const how = verdictOfCase(row);
    const deeper = !isAgain && row.from.length > 0 && drawnIds.size < mostNodes;
    return h(
      "li",
      {},
      isRoot ? h("b", {}, row.by) : h("a", {href: addressOf("specs", {...words, case: one})}, row.by),
      " ",
      how !== "none" && h("span", {class: how === "fail" ? "tag failed" : "tag passed"}, stepSigns[how] + " "),
      h("code", {}, row.input),
      row.output && [" → ", h("code", {}, row.output)],
      isAgain && row.from.length > 0 && h("span", {class: "quiet"}, " as above"),
      deeper && h("ul", {class: "tree"}, row.from.map(item)),
    );
  };
  return h("ul", {class: "tree", "aria-label": "Derivation"}, item(id));
}
