// Coverage: folders and files, a source with its lines, the tests of a line, the lines of a test.
import {commands} from "./actions.js";
import {makeFilters, notes, offerButtons, placeholder} from "./controls.js";
import {fill, h} from "./dom.js";
import {counted, number, percent} from "./format.js";
import {fileTree} from "./model.js";
import {makeDetails} from "./panes.js";
import {addressOf} from "./route.js";
import {Table} from "./table.js";

const reportWords = ["report", "coverage"];
const mostTests = 500;

const fileColumns = [
  {
    title: "file",
    width: 8,
    grow: 1,
    text: row => row.path,
    key: row => row.path,
    draw: row => {
      const name = h("span", {class: row.kind}, row.name);
      name.style.paddingInlineStart = row.depth * 0.9 + "rem";
      return name;
    },
  },
  {
    title: "lines",
    width: 4,
    right: true,
    text: row => percent(row.lines.hit, row.lines.total),
    key: row => (row.lines.total ? row.lines.hit / row.lines.total : null),
  },
  {
    title: "not run",
    width: 4.2,
    right: true,
    text: row => number(row.lines.total - row.lines.hit),
    key: row => row.lines.total - row.lines.hit,
  },
];

function lineSign(row) {
  if (row.unknown) return "? changed";
  if (row.tests === null) return "";
  return row.tests.length === 0 ? "✗ none" : counted(row.tests.length, "test");
}

const sourceColumns = [
  {title: "line", width: 3, right: true, text: row => String(row.number), key: row => row.number},
  {
    title: "tests",
    width: 5,
    right: true,
    text: lineSign,
    draw: row => h("span", {class: lineClass(row)}, lineSign(row)),
    key: row => row.tests && row.tests.length,
  },
  {
    title: "branches",
    width: 5,
    right: true,
    text: row =>
      row.branches.length ? `${row.branches.filter(one => one.tests.length > 0).length} of ${row.branches.length}` : "",
    draw: row =>
      row.branches.length
        ? h(
            "span",
            {class: row.branches.every(one => one.tests.length > 0) ? "" : "partly"},
            `${row.branches.filter(one => one.tests.length > 0).length} of ${row.branches.length}`,
          )
        : "",
    key: row => row.branches.length || null,
  },
  {
    title: "source",
    width: 30,
    grow: 1,
    text: row => row.text,
    draw: row => h("code", {class: lineClass(row) + (row.marked ? " marked" : "")}, row.marked ? "▸ " : "  ", row.text),
  },
];

function lineClass(row) {
  if (row.unknown) return "unknown";
  return row.tests === null ? "" : row.tests.length === 0 ? "missed" : "hit";
}

/// Lines of a source with what is known of each; only of `test` where it is given.
function sourceRows(text, file, coverage, test) {
  const lines = text.split("\n");
  if (lines[lines.length - 1] === "") lines.pop();
  const sets = new Map(file.lines),
    branches = new Map();
  for (const [line, number, set] of file.branches)
    branches.set(line, [...(branches.get(line) || []), {number, tests: coverage.test_sets[set]}]);
  const conditions = new Map();
  for (const [line, term, value, set] of file.conditions)
    conditions.set(line, [...(conditions.get(line) || []), {term, value, tests: coverage.test_sets[set]}]);
  const isUnknown = line => file.unknown.some(([first, last]) => first <= line && (last === null || line <= last));
  return lines.map((content, i) => {
    const tests = sets.has(i + 1) ? coverage.test_sets[sets.get(i + 1)] : null;
    return {
      number: i + 1,
      text: content.replace(/\r$/, ""),
      tests,
      unknown: isUnknown(i + 1),
      branches: branches.get(i + 1) || [],
      conditions: conditions.get(i + 1) || [],
      marked: test >= 0 && tests !== null && tests.includes(test),
    };
  });
}

export const coverageScreen = {
  name: "coverage",
  title: "Coverage",
  about: "files and sources; tests of a line, lines of a test",
  words: app => {
    const {file, line, test} = app.router.words;
    if (file && line) return ["report", "coverage", "--line", `${file}:${line}`];
    return test ? ["report", "coverage", "--per-test", test] : reportWords;
  },
  actions: app =>
    [commands.coverageAgain, commands.measure].map(({title, words}) => ({
      title,
      hint: "of this screen",
      run: () => app.bar.offer(words, title),
    })),
  open(app) {
    let coverage,
      files = [],
      made = "",
      filtered = null,
      sources = new Map();
    const waiting = h("div", {}),
      summary = h("div", {class: "summary"});
    const tree = new Table({
      label: "Files",
      columns: fileColumns,
      id: row => row.path,
      empty: "no file has these words",
      onOpen: row =>
        row.kind === "file"
          ? app.router.set({file: row.path, line: ""})
          : app.router.set({q: row.path + "/", file: "", line: ""}),
      onSort: (column, down) => app.router.set({sort: fileColumns[column].title, down: down ? "1" : ""}),
    });
    const source = new Table({
      label: "Source",
      columns: sourceColumns,
      id: row => row.number,
      empty: "no line to show",
      height: 1.3,
      onOpen: row => app.router.set({line: String(row.number)}),
      onSort: () => {},
    });
    source.element.classList.add("source");
    const heading = h("h2", {class: "path"}),
      marked = h("p", {class: "quiet"}),
      trouble = h("div", {});
    const details = makeDetails("Line", () => {
      app.router.set({line: ""});
      source.grid.focus();
    });
    const middle = h("section", {class: "column", "aria-label": "Source"}, heading, marked, trouble, source.element);
    const filters = makeFilters(app, [
      {word: "q", title: "Search"},
      {
        word: "show",
        title: "Show",
        options: () => [
          ["", "all files"],
          ["missed", "files with lines that no test executes"],
        ],
      },
    ]);
    const screenBody = h(
      "div",
      {class: "screen", hidden: true},
      summary,
      filters.element,
      h(
        "div",
        {class: "panes three"},
        h("section", {class: "column narrow", "aria-label": "Files"}, tree.element),
        middle,
        details.element,
      ),
    );
    const loadSource = path => {
      if (sources.has(path)) return sources.get(path);
      const entry = {};
      sources.set(path, entry);
      app.source
        .file(path)
        .then(
          text => {
            entry.text = text;
          },
          error => {
            entry.error = error.message;
          },
        )
        .then(() => app.draw());
      return entry;
    };
    const linesOf = (test, file) => file.lines.filter(([, set]) => coverage.test_sets[set].includes(test)).length;
    const showSource = (file, testIndex, test) => {
      middle.hidden = !file;
      if (!file) return;
      const entry = loadSource(file.path);
      fill(heading, [file.path], () => [
        file.path,
        " ",
        h(
          "span",
          {class: "quiet"},
          `${percent(file.totals.lines.hit, file.totals.lines.total)} of ${counted(file.totals.lines.total, "line")}`,
        ),
      ]);
      fill(marked, [file.path, test, testIndex], () =>
        !test
          ? null
          : testIndex < 0
            ? `The coverage does not have the test ${test}.`
            : [
                `▸ marks what ${test} executes here: ${counted(linesOf(testIndex, file), "line")}. `,
                h("a", {href: addressOf("coverage", {file: file.path})}, "All tests"),
              ],
      );
      fill(trouble, [file.path, entry.error], () =>
        entry.error ? h("p", {class: "absent"}, `The source cannot be shown: ${entry.error}`) : null,
      );
      const now = JSON.stringify([file.path, testIndex, entry.text === undefined]);
      source.element.hidden = entry.text === undefined;
      if (now === made || entry.text === undefined) return;
      made = now;
      const rows = sourceRows(entry.text, file, coverage, testIndex);
      sourceColumns[3].width = Math.max(30, ...rows.map(row => row.text.length * 0.55 + 2));
      source.setWidths();
      source.setRows(rows);
    };
    const update = () => {
      const entry = app.want(reportWords);
      fill(waiting, [entry.status, entry.error], () =>
        placeholder(entry, "coverage of lines", offerButtons(app, [commands.measure])),
      );
      screenBody.hidden = entry.value === undefined;
      if (entry.value === undefined) return;
      const {q = "", show = "", file = "", line = "", test = "", suite = "", sort = "", down = ""} = app.router.words;
      if (entry.value !== coverage) {
        coverage = entry.value;
        files = fileTree(coverage.files);
        tree.setRows(files);
        sources = new Map();
        made = filtered = "";
      }
      tree.sort(
        fileColumns.findIndex(one => one.title === sort),
        sort !== "" && down === "1",
      );
      if (filtered !== q + "\n" + show) {
        filtered = q + "\n" + show;
        tree.filter(q, show === "missed" ? row => row.lines.hit < row.lines.total : null);
      }
      filters.update(counted(tree.shown.filter(i => files[i].kind === "file").length, "file"));
      fill(summary, [entry.at], () => coverageSummary(coverage));
      tree.select(file || null);
      const testIndex = test ? coverage.tests.findIndex(one => one.name === test && (!suite || one.suite === suite)) : -1;
      showSource(
        coverage.files.find(one => one.path === file),
        testIndex,
        test,
      );
      if (line && source.rows.length > 0) source.select(Number(line));
      else source.select(null);
      showLine(details, coverage, file, line && source.rows[Number(line) - 1], line, suite);
    };
    return {element: h("div", {class: "fill"}, waiting, screenBody), update, table: tree};
  },
};

function coverageSummary({totals, base, notes: list}) {
  return [
    h(
      "p",
      {},
      ["lines", "branches", "functions"].map((kind, i) => [
        i > 0 ? "; " : "",
        h("b", {}, percent(totals[kind].hit, totals[kind].total)),
        ` of ${number(totals[kind].total)} ${kind}`,
      ]),
      ` by ${number(base.tests.measured)} of ${counted(base.tests.total, "test")}`,
    ),
    notes(list),
  ];
}

function testLinks(coverage, tests, file) {
  return h(
    "ul",
    {class: "plain"},
    tests.slice(0, mostTests).map(i => {
      const {name, suite} = coverage.tests[i];
      return h(
        "li",
        {},
        h("a", {href: addressOf("tests", {test: name, suite})}, name),
        " ",
        h("a", {href: addressOf("coverage", {file, test: name, suite}), "aria-label": `its lines: ${name}`}, "its lines"),
      );
    }),
    tests.length > mostTests && h("li", {}, `and ${number(tests.length - mostTests)} more`),
  );
}

function showLine(details, coverage, file, row, line) {
  details.element.hidden = !line || !file;
  if (details.element.hidden) return;
  fill(details.title, [file, line], () => `${file.split("/").pop()}:${line}`);
  fill(details.body, [file, line, Boolean(row), row && row.text, row && row.tests], () => {
    if (!row) return h("p", {}, "The source has no such line.");
    if (row.unknown) return h("p", {}, "This line changed after it was measured; no test is known to execute it.");
    if (row.tests === null) return h("p", {}, "There is nothing to execute in this line.");
    return [
      h("pre", {}, h("code", {}, row.text.trim())),
      h("h3", {}, row.tests.length === 0 ? "No test executes it" : `Executed by ${counted(row.tests.length, "test")}`),
      testLinks(coverage, row.tests, file),
      row.branches.map(branch => [
        h(
          "h3",
          {},
          `Branch ${branch.number}: ${branch.tests.length === 0 ? "✗ taken by no test" : counted(branch.tests.length, "test")}`,
        ),
        testLinks(coverage, branch.tests, file),
      ]),
      row.conditions.map(one => [
        h(
          "h3",
          {},
          `Term ${one.term} decides while ${one.value}: ${one.tests.length === 0 ? "✗ in no test" : counted(one.tests.length, "test")}`,
        ),
        testLinks(coverage, one.tests, file),
      ]),
    ];
  });
}
