// Relations: what `morph scout` found in tests, and what became of each as a spec.
import {commands} from "./actions.js";
import {makeFilters, offerButtons} from "./controls.js";
import {button, fill, h} from "./dom.js";
import {counted, number} from "./format.js";
import {makeDetails, twoPanes} from "./panes.js";
import {addressOf} from "./route.js";
import {ownWords} from "./runs.js";
import {Table} from "./table.js";

const scoutCommands = [commands.scout, commands.scoutObserved, commands.scoutSpecs, commands.scoutRank];
const fateSigns = {
  kept: "✓ kept",
  violated: "✗ violated",
  refuted: "✗ refuted",
  "too few valid inputs": "? too few valid inputs",
};

const relationColumns = [
  {title: "relation", width: 12, grow: 3, text: row => row.text, draw: row => h("code", {}, row.text)},
  {title: "test", width: 9, grow: 2, text: row => row.test},
  {title: "unit", width: 6, grow: 1, text: row => row.unit},
  {title: "second input", width: 8, text: row => row.transformation},
  {title: "calls", width: 3, right: true, text: row => number(row.invocations.length), key: row => row.invocations.length},
  {
    title: "as a spec",
    width: 8,
    text: row => (row.spec ? row.spec.fate : ""),
    draw: row => (row.spec ? h("span", {class: "tag " + row.spec.fate.split(" ")[0]}, fateSigns[row.spec.fate] || row.spec.fate) : ""),
  },
];

/// The last document of this schema that `morph scout` printed here.
function newest(app, schema) {
  const runs = [...app.runs.all.values()].filter(run => run.state === "ended" && ownWords(run.arguments || [])[0] === "scout");
  for (const run of runs.reverse()) {
    const entry = app.documents.outputOf(run);
    if (entry.status === "loading") return entry;
    if (entry.value && entry.value.schema === schema) return entry;
  }
  return null;
}

const placeOf = one => `${one.file}:${one.line}`;

/// One row for each relation; specs are those of the same place and test.
export function relationRows(found, tried) {
  const specs = new Map((tried ? tried.specs : []).map(spec => [`${placeOf(spec)} ${spec.test}`, spec]));
  return found.tests.flatMap(test =>
    test.relations.map((one, i) => ({
      ...one,
      test: test.name,
      id: `${placeOf(one)} ${test.name} ${i}`,
      spec: specs.get(`${placeOf(one)} ${test.name}`),
    })),
  );
}

export const relationsScreen = {
  name: "relations",
  title: "Relations",
  about: "metamorphic relations in existing tests, and their specs",
  words: () => ["scout"],
  actions: app =>
    scoutCommands.map(({title, words}) => ({title, hint: "of this screen", run: () => app.bar.offer(words, title)})),
  open(app) {
    let made = [],
      rows = [],
      filtered = null,
      options = [["", "all"]];
    const waiting = h("div", {}),
      summary = h("p", {class: "quiet"});
    const table = new Table({
      label: "Relations",
      columns: relationColumns,
      id: row => row.id,
      empty: "no relation has these words and filters",
      onOpen: row => app.router.set({relation: row.id}),
      onSort: (column, down) => app.router.set({sort: relationColumns[column].title, down: down ? "1" : ""}),
    });
    const details = makeDetails("Relation", () => {
      app.router.set({relation: ""});
      table.grid.focus();
    });
    const filters = makeFilters(app, [
      {word: "q", title: "Search"},
      {word: "fate", title: "As a spec", options: () => options},
    ]);
    const screenBody = h(
      "div",
      {class: "screen", hidden: true},
      offerButtons(app, scoutCommands),
      summary,
      filters.element,
      twoPanes(table.element, details.element),
    );
    const update = () => {
      const found = newest(app, "morph.scout/1"),
        tried = newest(app, "morph.scout-specs/1");
      const isReading = Boolean(found && found.status === "loading");
      fill(waiting, [Boolean(found), isReading], () => (found && !isReading ? null : [absent(isReading), offerButtons(app, scoutCommands)]));
      screenBody.hidden = !found || isReading;
      if (screenBody.hidden) return;
      const values = [found.value, tried && tried.value];
      if (values.some((value, i) => value !== made[i])) {
        made = values;
        rows = relationRows(...values);
        table.setRows(rows);
        const fates = new Set(rows.map(row => row.spec && row.spec.fate).filter(Boolean));
        options = [["", "all"], ...[...fates].sort().map(fate => [fate, fate]), ["none", "not tried"]];
        filtered = null;
      }
      const {q = "", fate = "", relation = "", sort = "", down = ""} = app.router.words;
      table.sort(
        relationColumns.findIndex(one => one.title === sort),
        sort !== "" && down === "1",
      );
      if (filtered !== q + "\n" + fate) {
        filtered = q + "\n" + fate;
        table.filter(q, fate && (row => (row.spec ? row.spec.fate : "none") === fate));
      }
      filters.update(
        table.shown.length === rows.length
          ? counted(rows.length, "relation")
          : `${number(table.shown.length)} of ${counted(rows.length, "relation")}`,
      );
      const {tests, tests_read: read} = found.value;
      fill(summary, [tests.length, read], () => `${number(tests.length)} of ${counted(read, "test")} hold relations`);
      table.select(relation || null);
      showRelation(
        app,
        details,
        rows.find(row => row.id === relation),
        relation,
      );
    };
    return {element: h("div", {class: "fill"}, waiting, screenBody), update, table};
  },
};

function absent(isReading) {
  return isReading
    ? h("p", {class: "quiet", "aria-busy": "true"}, "Reading the relations …")
    : h("p", {class: "absent"}, "Relations were not looked for here yet.");
}

function showRelation(app, details, row, id) {
  details.element.hidden = !id;
  if (!id) return;
  fill(details.title, id, () => (row ? row.test : id));
  fill(details.body, [id, Boolean(row), row && row.spec], () => {
    if (!row) return h("p", {}, "The last result does not have this relation.");
    return [
      h("pre", {}, h("code", {}, row.text)),
      h("p", {}, h("a", {href: addressOf("coverage", {file: row.file, line: row.line})}, placeOf(row)), `, ${row.kind} of ${row.unit}`),
      row.is_echo && h("p", {}, "The test reads back a value that it wrote itself."),
      h("h3", {}, "Calls"),
      h(
        "ol",
        {class: "plain"},
        row.invocations.map(one => h("li", {}, `${placeOf(one)} `, h("code", {}, one.text))),
      ),
      row.spec && [h("h3", {}, "As a spec"), specOf(row.spec)],
      h(
        "p",
        {class: "buttons"},
        button("Try it as a spec", () => app.bar.offer(["scout", "--specs", row.test], "Try " + row.test)),
      ),
    ];
  });
}

function specOf(spec) {
  return [
    h("p", {}, h("span", {class: "tag " + spec.fate.split(" ")[0]}, fateSigns[spec.fate] || spec.fate), " ", spec.name),
    spec.why && h("p", {}, spec.why),
    spec.inferred.map(step => h("p", {}, "Inferred: ", step)),
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ["inputs", "hold", "violate", "not valid"].map(title => h("th", {scope: "col"}, title)))),
      h(
        "tbody",
        {},
        spec.runs.map(run => h("tr", {}, [run.seeds, run.pass, run.fail, run.invalid].map(value => h("td", {}, String(value))))),
      ),
    ),
    spec.runs.filter(run => run.counterexample).map(run => h("pre", {}, h("code", {}, run.counterexample))),
  ];
}
