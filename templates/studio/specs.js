// Specs: morphisms to tick at the left, activities and cases in the middle, messages and violations at the right.
import {makeFilters, placeholder} from "./controls.js";
import {button, fill, h} from "./dom.js";
import {clock, counted, number} from "./format.js";
import {makeDetails} from "./panes.js";
import {endLine} from "./results.js";
import {caseRows, resultTables, violationsOf} from "./spec_cases.js";
import {builtInFilters, morphismKinds, specActivities, Ticks} from "./spec_commands.js";
import {Table} from "./table.js";

const listWords = ["spec", "list"];
const mostListed = 100;
const verdictText = row =>
  row.verdicts.length === 0 ? "" : `${row.fail > 0 ? "✗ " : "✓ "}${row.pass} pass, ${row.fail} fail, ${row.none} n/a`;

function poolOf(app, name) {
  return app.router.words.pool || `${app.buildFolder ? app.buildFolder + "/.morph/" : ""}${name}.cases.jsonl`;
}

function showWords(app, name) {
  const {by = ""} = app.router.words;
  return ["spec", "show", "--spec", name, "--pool", poolOf(app, name), ...(by ? ["--by", by] : [])];
}

/// The chosen spec of the list, or the first.
function chosenSpec(app, list) {
  return list && (list.specs.find(spec => spec.name === app.router.words.spec) || list.specs[0]);
}

export const specsScreen = {
  name: "specs",
  title: "Specs",
  about: "metamorphic specs: morphisms, cases, activities, violations",
  words: app => {
    const known = app.documents.peek(listWords),
      spec = chosenSpec(app, known && known.value);
    return spec ? showWords(app, spec.name) : listWords;
  },
  actions: app => {
    const known = app.documents.peek(listWords),
      spec = chosenSpec(app, known && known.value);
    if (!spec) return [];
    return specActivities(new Ticks(spec, app.router.words.ticks || ""), poolOf(app, spec.name), new Set())
      .filter(one => !one.why)
      .map(({title, words, group}) => ({title: `Specs: ${title}`, hint: group, run: () => app.bar.offer(words, title)}));
  },
  open(app) {
    const marked = new Set();
    let spec = null,
      lines = null,
      shownFor = "",
      rows = [],
      filtered = "",
      tableOf = "";
    const waiting = h("div", {}),
      morphisms = h("section", {class: "column narrow morphisms", "aria-label": "Morphisms"});
    const activities = h("div", {class: "activities"}),
      trouble = h("div", {});
    const holder = h("div", {class: "column"});
    const log = h("ol", {class: "plain log"}),
      violations = h("ul", {class: "plain"}),
      heading = h("h2", {}),
      result = h("div", {class: "result"});
    const details = makeDetails("Case", () => {
      app.router.set({case: ""});
      if (table) table.grid.focus();
    });
    let table = null;
    const filters = makeFilters(app, [
      {word: "spec", title: "Spec", options: () => specOptions()},
      {word: "q", title: "Search"},
      {
        word: "by",
        title: "Cases",
        options: () => [["", "all"], ...[...builtInFilters, ...(spec ? spec["case filters"] : [])].map(one => [one, one])],
      },
    ]);
    const pool = h("input", {
      type: "text",
      spellcheck: "false",
      class: "pool",
      onchange: event => app.router.set({pool: event.target.value, case: ""}),
    });
    const specOptions = () => {
      const entry = app.documents.peek(listWords);
      return entry && entry.value ? entry.value.specs.map((one, i) => [i === 0 ? "" : one.name, one.name]) : [["", ""]];
    };
    filters.element.append(h("label", {class: "field"}, "Pool ", pool));
    const right = h(
      "section",
      {class: "column messages", "aria-label": "Messages"},
      details.element,
      h("h2", {}, "Activity"),
      log,
      result,
      heading,
      violations,
    );
    const screenBody = h(
      "div",
      {class: "screen", hidden: true},
      filters.element,
      h(
        "div",
        {class: "panes specs3"},
        morphisms,
        h("section", {class: "column", "aria-label": "Cases"}, activities, trouble, holder),
        right,
      ),
    );
    const drawTicks = ticks => {
      const word = app.router.words.ticks || "";
      fill(morphisms, [spec, word], () =>
        morphismKinds
          .filter(({kind}) => ticks.names(kind).length > 0)
          .map(({kind, title}) =>
            h(
              "fieldset",
              {},
              h(
                "legend",
                {},
                h(
                  "label",
                  {},
                  h("input", {
                    type: "checkbox",
                    checked: ticks.chosen(kind).length === ticks.names(kind).length,
                    onchange: event => app.router.set({ticks: ticks.setAll(kind, event.target.checked)}),
                  }),
                  ` ${title}`,
                ),
                h("span", {class: "quiet"}, ` ${ticks.chosen(kind).length} of ${ticks.names(kind).length}`),
              ),
              ticks
                .names(kind)
                .map((name, i) =>
                  h(
                    "label",
                    {class: "tick"},
                    h("input", {
                      type: "checkbox",
                      checked: ticks.has(kind, i),
                      "data-tick": `${kind} ${i}`,
                      onchange: () => refocus(`${kind} ${i}`, () => app.router.set({ticks: ticks.flip(kind, i)})),
                    }),
                    " ",
                    name,
                  ),
                ),
            ),
          ),
      );
    };
    const refocus = (key, change) => {
      change();
      const box = [...morphisms.querySelectorAll("[data-tick]")].find(one => one.dataset.tick === key);
      if (box) box.focus();
    };
    const drawActivities = ticks => {
      const all = specActivities(ticks, poolOf(app, spec.name), marked);
      fill(
        activities,
        all.map(one => [one.words, one.why]),
        () =>
          ["Activities", "Strategies", "State"].map(group =>
            h(
              "div",
              {class: "buttons", role: "group", "aria-label": group},
              h("span", {class: "quiet group"}, group),
              all
                .filter(one => one.group === group)
                .map(({title, words, why}) =>
                  button(title, () => app.bar.offer(words, title), {disabled: Boolean(why), title: why || false}),
                ),
            ),
          ),
      );
    };
    const drawTable = () => {
      const metrics = spec["case metrics"];
      if (tableOf !== spec.name) {
        tableOf = spec.name;
        marked.clear();
        const columns = [
          {
            title: "mark",
            width: 2.5,
            text: row => (marked.has(row.id) ? "marked" : ""),
            draw: row =>
              h("input", {
                type: "checkbox",
                tabindex: -1,
                checked: marked.has(row.id),
                "aria-label": "mark " + row.id,
                onclick: event => {
                  event.stopPropagation();
                  mark(row.id);
                },
              }),
          },
          {title: "made by", width: 6, grow: 1, text: row => row.by},
          {title: "input", width: 9, grow: 3, text: row => row.input, draw: row => h("code", {}, row.input)},
          {title: "output", width: 6, grow: 2, text: row => row.output, draw: row => h("code", {}, row.output)},
          {
            title: "verdicts",
            width: 11,
            text: verdictText,
            draw: row => h("span", {class: row.fail > 0 ? "tag failed" : ""}, verdictText(row)),
            key: row => -row.fail,
          },
          ...metrics.map(name => ({
            title: name,
            width: 5,
            right: true,
            text: row => (row.metrics[name] === undefined ? "" : String(Math.round(1000 * row.metrics[name]) / 1000)),
            key: row => row.metrics[name],
          })),
          {title: "id", width: 9, text: row => row.id},
        ];
        table = new Table({
          label: "Cases",
          columns,
          id: row => row.id,
          empty: "the pool has no such case: Seed makes the first",
          onOpen: row => app.router.set({case: row.id}),
          onSort: () => {},
        });
        table.grid.addEventListener("keydown", event => {
          if (event.key !== "m" && event.key !== "Delete") return;
          const row = table.rows[table.shown[table.active]];
          if (row) mark(row.id);
        });
        holder.replaceChildren(h("p", {class: "quiet"}, "m marks the chosen case"), table.element);
        lines = null;
      }
    };
    const mark = id => {
      if (!marked.delete(id)) marked.add(id);
      table.drawn = "";
      table.draw();
      app.draw();
    };
    const update = () => {
      const list = app.want(listWords);
      fill(waiting, [list.status, list.error, Boolean(list.value)], () => placeholder(list, "spec"));
      screenBody.hidden = list.value === undefined;
      if (list.value === undefined) return;
      spec = chosenSpec(app, list.value);
      if (!spec)
        return void fill(waiting, "none", () =>
          h("p", {class: "absent"}, "This build tree has no spec; morph_add_spec() declares one, `morph spec new` writes one."),
        );
      const ticks = new Ticks(spec, app.router.words.ticks || "");
      if (document.activeElement !== pool) pool.value = poolOf(app, spec.name);
      drawTicks(ticks);
      drawTable();
      drawActivities(ticks);
      const shown = app.want(showWords(app, spec.name));
      const executer = ticks.chosen("executers")[0] || "";
      const now = shown.status === "failed" ? [] : shown.value;
      if (now && ((now !== lines && now.length + (lines || []).length > 0) || shownFor !== executer)) {
        lines = now;
        shownFor = executer;
        rows = caseRows(lines, executer);
        table.setRows(rows);
      }
      fill(trouble, [shown.status, shown.error], () =>
        shown.status === "failed" ? h("p", {class: "quiet"}, `No pool yet: ${shown.error}`) : null,
      );
      const {q = "", case: id = ""} = app.router.words;
      if (filtered !== q) {
        filtered = q;
        table.filter(q);
      }
      filters.update(counted(table.shown.length, "case") + (marked.size > 0 ? `, ${number(marked.size)} marked` : ""));
      table.select(id || null);
      drawMessages();
      showCase(
        app,
        details,
        spec,
        id,
        rows.find(row => row.id === id),
      );
    };
    const drawMessages = () => {
      const runs = [...app.runs.all.values()]
        .filter(run => run.arguments[0] === "spec" && !run.reads)
        .reverse()
        .slice(0, 20);
      const outputs = runs.map(run => (run.state === "ended" ? app.documents.outputOf(run) : null));
      fill(
        log,
        runs.map((run, i) => [run.id, run.state, outputs[i] && outputs[i].status]),
        () =>
          runs.length === 0
            ? h("li", {class: "quiet"}, "nothing was done yet")
            : runs.map((run, i) =>
                h(
                  "li",
                  {},
                  h("span", {class: "quiet"}, clock(run.started), " "),
                  h("a", {href: "#/activity?run=" + run.id}, run.arguments.slice(1, 2)),
                  " ",
                  endLine(run, outputs[i]),
                ),
              ),
      );
      const at = outputs.findIndex(entry => entry && entry.value && !entry.value.text);
      fill(result, [at >= 0 && runs[at].id], () =>
        at < 0
          ? null
          : h("details", {open: true}, h("summary", {}, `Result of ${runs[at].arguments[1]}`), resultTables(outputs[at].value)),
      );
      const found = violationsOf(rows);
      fill(heading, found.length, () => `Violations: ${number(found.length)}`);
      fill(
        violations,
        [spec.name, found.length, rows.length, found.slice(0, mostListed).map(one => one.id + one.relation)],
        () =>
          found.length === 0
            ? h("li", {class: "quiet"}, "no case of the pool violates a relation")
            : [
                found.slice(0, mostListed).map(one =>
                  h(
                    "li",
                    {},
                    button(["✗ ", one.relation], () => app.router.set({case: one.id}), {class: "link"}),
                    " ",
                    h("code", {}, one.row.input),
                    one.row.output && [" → ", h("code", {}, one.row.output)],
                  ),
                ),
                found.length > mostListed && h("li", {}, `and ${number(found.length - mostListed)} more`),
              ],
      );
    };
    return {
      element: h("div", {class: "fill"}, waiting, screenBody),
      update,
      get table() {
        return table;
      },
    };
  },
};

function showCase(app, details, spec, id, row) {
  details.element.hidden = !id;
  if (!id) return;
  const tree = app.want(["spec", "show", "--spec", spec.name, "--pool", poolOf(app, spec.name), "--tree", id]);
  fill(details.title, id, () => id);
  fill(details.body, [id, Boolean(row), row && row.verdicts, tree.status, tree.error], () => [
    row
      ? h("p", {}, "made by ", row.by, row.expected && [", labelled ", h("code", {}, row.expected)])
      : h("p", {}, "The pool does not have this case now, or the filter hides it."),
    h("h3", {}, "Derivation"),
    placeholder(tree, "derivation") || h("pre", {}, tree.value.text),
    row &&
      row.verdicts.length > 0 && [
        h("h3", {}, "Verdicts"),
        h(
          "ul",
          {class: "plain"},
          row.verdicts.map(([relation, verdict]) =>
            h(
              "li",
              {},
              h(
                "span",
                {class: verdict === "fail" ? "tag failed" : verdict === "pass" ? "tag passed" : "quiet"},
                verdict === "fail" ? "✗ fails" : verdict === "pass" ? "✓ holds" : "– does not apply",
              ),
              " ",
              relation,
            ),
          ),
        ),
      ],
  ]);
}
