// Mutants: survivors first, by function; what explains them; the line that judges one again.
import {commands} from "./actions.js";
import {makeFilters, notes, offerButtons, placeholder} from "./controls.js";
import {button, fill, h} from "./dom.js";
import {clock, counted, globOf, number, percent, seconds} from "./format.js";
import {mutantRows, stateOrder} from "./model.js";
import {makeDetails} from "./panes.js";
import {addressOf} from "./route.js";
import {Table} from "./table.js";

const resultWords = ["report", "mutation"],
  explainWords = ["explain", "--stage", "suggestion", "--most", "50"];
const mutantCommands = [commands.mutate, commands.mutateChanged, commands.explain];
const linesAround = 6;
const stateSigns = {
  survived: "✗ survived",
  killed: "✓ killed",
  crashed: "✓ crashed",
  "timed out": "✓ timed out",
  "not covered": "○ not covered",
  equivalent: "= equivalent",
  "not judged": "? not judged",
};

/// The last two parts of a function's name, without parameters and template arguments.
function shortName(name) {
  let bare = name.replaceAll("(anonymous namespace)::", "").replace(/\[abi:\w+\]/g, "");
  for (let before = ""; before !== bare;) {
    before = bare;
    if (!bare.includes("operator")) bare = bare.replace(/<[^<>]*>/g, "");
  }
  return bare
    .replace(/(?<!operator)\(.*$/s, "")
    .split("::")
    .slice(-2)
    .join("::");
}

const functionColumns = [
  {
    title: "function",
    width: 7,
    grow: 1,
    text: row => `${row.name} ${row.file}`,
    key: row => row.name,
    draw: row => [row.tested === "pseudo-tested" ? "⚠ pseudo-tested: " : "", shortName(row.name)],
  },
  {
    title: "survived",
    width: 5,
    right: true,
    text: row => `${number(row.survivors)} of ${number(row.mutants)}`,
    key: row => row.survivors,
  },
];
const mutantColumns = [
  {
    title: "state",
    width: 6.5,
    text: row => row.state,
    draw: row => h("span", {class: "tag " + row.state.replace(" ", "-")}, stateSigns[row.state] || row.state),
    key: row => stateOrder.indexOf(row.state),
  },
  {
    title: "place",
    width: 9,
    text: row => `${row.file}:${row.line}`,
    key: row => [row.file, String(row.line).padStart(9)].join(),
    draw: row => `${row.file.split("/").pop()}:${row.line}`,
  },
  {title: "original", width: 7, grow: 2, text: row => row.original, draw: row => h("code", {}, row.original)},
  {
    title: "replacement",
    width: 7,
    grow: 2,
    text: row => row.replacement,
    draw: row => h("code", {}, row.replacement || "(nothing)"),
  },
  {title: "by", width: 2, text: row => row.operator},
  {title: "tests", width: 3, right: true, text: row => number(row.covering), key: row => row.covering},
  {title: "function", width: 6, grow: 1, text: row => row.function, draw: row => shortName(row.function)},
];

export const mutantsScreen = {
  name: "mutants",
  title: "Mutants",
  about: "survivors first, by function; why they survived; run one again",
  words: app => (app.router.words.mutant ? ["explain", app.router.words.mutant] : resultWords),
  actions: app =>
    mutantCommands.map(({title, words}) => ({title, hint: "of this screen", run: () => app.bar.offer(words, title)})),
  open(app) {
    let mutation = null,
      rows = [],
      functions = [],
      filtered = null,
      explained = null,
      explanations = new Map();
    const waiting = h("div", {}),
      summary = h("div", {class: "summary"});
    const table = new Table({
      label: "Mutants",
      columns: mutantColumns,
      id: row => row.id,
      empty: "no mutant has these words and filters",
      onOpen: row => app.router.set({mutant: row.id}),
      onSort: (column, down) => app.router.set({sort: mutantColumns[column].title, down: down ? "1" : ""}),
    });
    const list = new Table({
      label: "Functions",
      columns: functionColumns,
      id: row => row.key,
      empty: "no function was mutated",
      onOpen: row => app.router.set({function: app.router.words.function === row.key ? "" : row.key, mutant: ""}),
      onSort: () => {},
    });
    const details = makeDetails("Mutant", () => {
      app.router.set({mutant: ""});
      table.grid.focus();
    });
    const states = () => [
      ["", `all ${number(rows.length)}`],
      ...stateOrder
        .filter(state => mutation && mutation.states[state] > 0)
        .map(state => [state, `${state} (${number(mutation.states[state])})`]),
    ];
    let options = {state: [], operator: []};
    const operators = () => [
      ["", "all"],
      ...(mutation ? mutation.by_operator.map(one => [one.name, `${one.name} (${number(one.mutants)})`]) : []),
    ];
    const filters = makeFilters(app, [
      {word: "q", title: "Search"},
      {word: "state", title: "State", options: () => options.state},
      {word: "operator", title: "Operator", options: () => options.operator},
      {
        word: "tested",
        title: "Functions",
        options: () => [["", "all"], ...["pseudo-tested", "partly tested", "tested", "not covered"].map(one => [one, one])],
      },
    ]);
    const everything = button("All functions", () => app.router.set({function: ""}));
    const buttons = h(
      "div",
      {class: "buttons"},
      mutantCommands.map(({title, words}) => button(title, () => app.bar.offer(words, title))),
      everything,
    );
    const screenBody = h(
      "div",
      {class: "screen", hidden: true},
      buttons,
      summary,
      filters.element,
      h(
        "div",
        {class: "panes three"},
        h("section", {class: "column narrow", "aria-label": "Functions"}, list.element),
        table.element,
        details.element,
      ),
    );
    const update = () => {
      const entry = app.want(resultWords);
      fill(waiting, [entry.status, entry.error], () =>
        placeholder(entry, "mutation result", offerButtons(app, [commands.mutate])),
      );
      screenBody.hidden = entry.value === undefined;
      if (entry.value === undefined) return;
      if (entry.value !== mutation) {
        mutation = entry.value;
        ({rows, functions} = mutantRows(mutation));
        table.setRows(rows);
        list.setRows(functions);
        options = {state: states(), operator: operators()};
        filtered = null;
      }
      const why = app.want(explainWords);
      if (why.value && why.value !== explained) {
        explained = why.value;
        explanations = new Map(explained.mutants.map(one => [one.id, one]));
      }
      const {
        q = "",
        state = "",
        operator = "",
        tested = "",
        function: home = "",
        mutant = "",
        sort = "",
        down = "",
      } = app.router.words;
      table.sort(
        mutantColumns.findIndex(one => one.title === sort),
        sort !== "" && down === "1",
      );
      const wanted = JSON.stringify([q, state, operator, tested, home]);
      if (wanted !== filtered) {
        filtered = wanted;
        const keeps = [
          state && (row => row.state === state),
          operator && (row => row.operator === operator),
          tested && (row => row.home && row.home.tested === tested),
          home && (row => row.home && row.home.key === home),
        ].filter(Boolean);
        table.filter(q, keeps.length > 0 ? row => keeps.every(keep => keep(row)) : null);
        list.filter("", tested ? row => row.tested === tested : null);
      }
      everything.hidden = home === "";
      filters.update(
        table.shown.length === rows.length
          ? counted(rows.length, "mutant")
          : `${number(table.shown.length)} of ${counted(rows.length, "mutant")}`,
      );
      fill(summary, [entry.at], () => mutationSummary(mutation));
      table.select(mutant || null);
      list.select(home || null);
      showMutant(app, details, mutation, mutant && rows.find(row => row.id === mutant), mutant, explanations, why);
    };
    return {element: h("div", {class: "fill"}, waiting, screenBody), update, table};
  },
};

function mutationSummary(mutation) {
  const {states} = mutation;
  return [
    h(
      "p",
      {},
      mutation.score === null
        ? "no mutant was judged"
        : [
            h("b", {}, percent(mutation.score, 1)),
            " mutation score; ",
            h("b", {}, percent(mutation.score_of_covered, 1)),
            " of the mutants that tests reach",
          ],
      `; ${number(states.survived)} survived; judged ${clock(1000 * mutation.at)} in ${seconds(mutation.seconds)}`,
    ),
    notes([...mutation.missing, ...mutation.scope.map(one => "only a part: " + one), ...(mutation.notes || [])]),
  ];
}

function showMutant(app, details, mutation, row, id, explanations, why) {
  details.element.hidden = !id;
  if (!id) return;
  const known = explanations.get(id);
  const running = app.runs.running().some(run => run.arguments[0] === "explain" && !run.reads);
  fill(details.title, id, () => id);
  fill(details.body, [id, Boolean(row), row && row.state, mutation.at, known && known.text, running], () => {
    if (!row) return h("p", {}, "The last result does not have this mutant.");
    const reached = counted(row.covering, "test reaches it", "tests reach it");
    const judge = ["mutate", "--fresh", "--only", globOf(row.file), "--operators", row.operator];
    return [
      h(
        "p",
        {},
        h("span", {class: "tag " + row.state.replace(" ", "-")}, stateSigns[row.state] || row.state),
        row.function && [" in ", h("code", {}, row.function)],
        row.home && row.home.tested && `, which is ${row.home.tested}`,
      ),
      h(
        "pre",
        {class: "diff"},
        h("del", {}, "- " + lineWith(mutation, row, row.original)),
        "\n",
        h("ins", {}, "+ " + lineWith(mutation, row, row.replacement)),
      ),
      sourceAround(mutation, row),
      h(
        "p",
        {class: "quiet"},
        mutation.operators.filter(one => one.name === row.operator).map(one => `${one.name}: ${one.summary}`),
      ),
      row.reason && h("p", {}, row.reason),
      h(
        "p",
        {},
        row.state === "survived"
          ? `${reached}; its value differs in ${row.infected === 0 ? "none of them" : number(row.infected)}.`
          : row.killers.length > 0
            ? [
                "Killed by ",
                row.killers.map((name, i) => [i > 0 ? ", " : "", h("a", {href: addressOf("tests", {test: name})}, name)]),
                ".",
              ]
            : `${reached}.`,
      ),
      app.screens.some(screen => screen.name === "coverage") &&
        h(
          "p",
          {},
          h("a", {href: addressOf("coverage", {file: row.file, line: row.line})}, `${row.file}:${row.line}`),
          ": which tests execute the line",
        ),
      row.state === "survived" && [
        h("h3", {}, "Why it survived"),
        known
          ? explanation(known)
          : h("p", {class: "quiet"}, running ? "being explained …" : why.status === "failed" ? why.error : "not explained yet"),
      ],
      h(
        "p",
        {class: "buttons"},
        row.state === "survived" && button("Explain it", () => app.bar.offer(["explain", row.id], "Explain " + row.id)),
        button("Judge it again", () => app.bar.offer(judge, "Judge it and its like again")),
      ),
    ];
  });
}

/// The source as it was judged, some lines before and behind the mutant, to be opened.
function sourceAround(mutation, row) {
  const file = mutation.files.find(one => one.path === row.file);
  if (!file) return null;
  const first = Math.max(1, row.line - linesAround),
    lines = file.source.split("\n").slice(first - 1, (row.end_line || row.line) + linesAround);
  const text = lines.map((line, i) => `${first + i === row.line ? "▶" : " "} ${String(first + i).padStart(5)}  ${line}`);
  return h("details", {}, h("summary", {}, `${row.file}:${row.line}`), h("pre", {}, h("code", {}, text.join("\n"))));
}

/// The lines of the mutant, with this text in its place.
function lineWith(mutation, row, text) {
  const file = mutation.files.find(one => one.path === row.file);
  if (!file || row.begin === undefined) return text;
  const bytes = new TextEncoder().encode(file.source),
    decoder = new TextDecoder();
  const isLatin = file.encoding === "latin-1";
  const part = (from, to) => (isLatin ? file.source.slice(from, to) : decoder.decode(bytes.subarray(from, to)));
  const all = isLatin ? file.source : bytes;
  const isNewline = i => (isLatin ? all[i] === "\n" : all[i] === 10);
  let from = row.begin,
    to = row.end;
  while (from > 0 && !isNewline(from - 1)) --from;
  while (to < all.length && !isNewline(to)) ++to;
  return (part(from, row.begin) + text + part(row.end, to)).trim();
}

function explanation(known) {
  if (!known.differences) return h("pre", {}, known.text.join("\n"));
  const head = known.text.find(line => line.trim().startsWith("symptom"));
  return [
    h("p", {}, head ? head.trim().replace(/^symptom\s+/, "") : known.symptom),
    known.differences
      .slice(0, 5)
      .map(one =>
        h(
          "p",
          {},
          h("code", {}, one.expression + (one.property ? "." + one.property : "")),
          ` in ${one.test}: `,
          h("code", {}, one.original),
          " without it, ",
          h("code", {}, one.mutated),
          " with it",
        ),
      ),
    known.suggestion.lines.map(line => h("p", {class: "advice"}, line)),
    known.suggestion.assertions.map(one => h("pre", {}, h("code", {}, `${one.file}:${one.line}\n${one.assertion}`))),
  ];
}
