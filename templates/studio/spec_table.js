// Specs: the table of cases, and the details of one.
import {placeholder} from "./controls.js";
import {fill, h} from "./dom.js";
import {picturesOf} from "./spec_pictures.js";
import {derivationTree} from "./spec_tree.js";
import {Table} from "./table.js";

const verdictText = row =>
  row.verdicts.length === 0 ? "" : `${row.fail > 0 ? "✗ " : "✓ "}${row.pass} pass, ${row.fail} fail, ${row.none} n/a`;

function metricColumn(name) {
  const value = row => row.metrics[name];
  const rounded = row => (value(row) === undefined ? "" : String(Math.round(1000 * value(row)) / 1000));
  return {title: name, width: 5, right: true, text: rounded, key: value};
}

/// Cases with the spec's case metrics. `marked` holds the ids of marked cases; mark(id) changes it.
export function caseTable(app, spec, marked, mark) {
  const markBox = row =>
    h("input", {
      type: "checkbox",
      tabindex: -1,
      checked: marked.has(row.id),
      "aria-label": "mark " + row.id,
      onclick: event => {
        event.stopPropagation();
        mark(row.id);
      },
    });
  const verdicts = row => h("span", {class: row.fail > 0 ? "tag failed" : ""}, verdictText(row));
  const columns = [
    {title: "mark", width: 2.5, text: row => (marked.has(row.id) ? "marked" : ""), draw: markBox},
    {title: "made by", width: 6, grow: 1, text: row => row.by},
    {title: "input", width: 9, grow: 3, text: row => row.input, draw: row => h("code", {}, row.input)},
    {title: "output", width: 6, grow: 2, text: row => row.output, draw: row => h("code", {}, row.output)},
    {title: "verdicts", width: 11, text: verdictText, draw: verdicts, key: row => -row.fail},
    ...spec["case metrics"].map(metricColumn),
    {title: "id", width: 9, text: row => row.id},
  ];
  const table = new Table({
    label: "Cases",
    columns,
    id: row => row.id,
    empty: "the pool has no such case: Seed makes the first",
    onOpen: row => app.router.set({case: row.id}),
    onSort: () => {},
  });
  table.grid.addEventListener("keydown", event => {
    const row = table.rows[table.shown[table.active]];
    if (event.key === "m" && row) mark(row.id);
  });
  return table;
}

const signOf = {fail: ["tag failed", "✗ fails"], pass: ["tag passed", "✓ holds"], "n/a": ["quiet", "– does not apply"]};

/// Fills the details with how a case was made, and its verdicts.
export function showCase(app, details, treeWords, id, rows) {
  details.element.hidden = !id;
  if (!id) return;
  const row = rows.find(one => one.id === id);
  const tree = row ? null : app.want(treeWords); // of a case that the filter hides
  const verdict = ([relation, how]) => h("li", {}, h("span", {class: signOf[how][0]}, signOf[how][1]), " ", relation);
  fill(details.title, id, () => id);
  fill(
    details.body,
    [id, Boolean(row), row && row.verdicts, tree && [tree.status, tree.error, tree.value && tree.value.text]],
    () => [
      row
        ? h("p", {}, "made by ", row.by, row.expected && [", labelled ", h("code", {}, row.expected)])
        : h("p", {}, "The pool does not have this case now, or the filter hides it."),
      h("h3", {}, "Derivation"),
      row ? derivationTree(app, rows, id) : placeholder(tree, "derivation") || h("pre", {}, tree.value.text),
      row && picturesOf(app, row.value),
      row && row.verdicts.length > 0 && [h("h3", {}, "Verdicts"), h("ul", {class: "plain"}, row.verdicts.map(verdict))],
    ],
  );
}
