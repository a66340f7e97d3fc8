// From documents to rows of screens; nothing here draws.

/// "changed-code:area(int, int)" as ["changed-code", "area(int, int)"].
export function splitReason(reason) {
  const [kind, detail = ""] = reason.split(/:(.*)/s);
  return [kind, detail];
}

export function testKey(suite, name) {
  return `${suite}\n${name}`;
}

/// How many selected tests have no recorded time.
export function untimed(plan) {
  return plan.tests.filter(test => test.selected && test.seconds === null).length;
}

/// Counts by a key, largest first: [[key, count]...].
export function tally(items, keyOf) {
  const counts = new Map();
  for (const item of items) {
    const key = keyOf(item);
    counts.set(key, (counts.get(key) || 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

/// For each test of a coverage document how many lines and functions it executes.
export function executedByTests(coverage) {
  const linesOfSet = new Array(coverage.test_sets.length).fill(0),
    functionsOfSet = [...linesOfSet];
  for (const file of coverage.files) {
    for (const [, set] of file.lines) ++linesOfSet[set];
    for (const one of file.functions) ++functionsOfSet[one.tests];
  }
  const counts = coverage.tests.map(() => ({lines: 0, functions: 0}));
  coverage.test_sets.forEach((tests, set) => {
    if (linesOfSet[set] + functionsOfSet[set] > 0)
      for (const test of tests) {
        counts[test].lines += linesOfSet[set];
        counts[test].functions += functionsOfSet[set];
      }
  });
  return counts;
}

/// One row per test of the plan, the coverage and the mutation, each of which may be undefined.
export function testRows(plan, coverage, mutation, history) {
  const rows = new Map();
  const at = (suite, name) => {
    const key = testKey(suite, name);
    if (!rows.has(key))
      rows.set(key, {
        key,
        suite,
        name,
        decision: "",
        reasons: [],
        marks: [],
        seconds: null,
        lines: null,
        functions: null,
        kills: null,
        alone: null,
        redundant: false,
        doubts: [],
        history: [],
      });
    return rows.get(key);
  };
  for (const test of plan ? plan.tests : [])
    Object.assign(at(test.suite, test.name), {
      decision: test.decision,
      reasons: test.reasons,
      marks: test.marks,
      seconds: test.seconds,
      rank: test.rank,
    });
  if (coverage) {
    const counts = executedByTests(coverage);
    coverage.tests.forEach((test, i) => {
      if (test.measured) Object.assign(at(test.suite, test.name), counts[i], {doubts: test.doubts});
    });
  }
  for (const test of mutation ? mutation.by_test : [])
    if (!test.left_out)
      Object.assign(at(test.suite, test.name), {
        kills: test.kills,
        alone: mutation.every_killer ? test.alone : null,
        redundant: mutation.every_killer && test.redundant,
      });
  const byName = new Map();
  for (const row of rows.values()) byName.set(row.name, [...(byName.get(row.name) || []), row]);
  for (const test of history ? history.tests : [])
    for (const row of byName.get(test.name) || [])
      row.history = test.verdicts.map(([run, failed, took]) => ({
        at: history.runs[run].at,
        failed: failed === 1,
        seconds: took,
      }));
  for (const row of rows.values()) row.history.sort((a, b) => b.at - a.at);
  return [...rows.values()];
}

/// Of `morph store history`. Stays the same when older runs go.
export function runKey(run) {
  return `${run.at} ${run.source} ${run.configuration.slice(0, 6)}`;
}

/// What is known of a test's last runs, in a word.
export function verdictOf(row) {
  if (row.history.length > 0) return row.history[0].failed ? "failed" : "passed";
  return row.reasons.some(reason => reason.startsWith("failed-recently")) ? "failed" : "";
}

/// Folders and files of a coverage document as rows of a tree, depth first.
export function fileTree(files) {
  const root = {name: "", path: "", folders: new Map(), files: []};
  for (const file of files) {
    const parts = file.path.split("/");
    let folder = root;
    for (const part of parts.slice(0, -1)) {
      if (!folder.folders.has(part))
        folder.folders.set(part, {
          name: part,
          path: (folder.path ? folder.path + "/" : "") + part,
          folders: new Map(),
          files: [],
        });
      folder = folder.folders.get(part);
    }
    folder.files.push(file);
  }
  const rows = [];
  const sum = folder => {
    const total = {hit: 0, total: 0};
    const add = part => {
      total.hit += part.hit;
      total.total += part.total;
    };
    for (const inner of folder.folders.values()) add(sum(inner));
    for (const file of folder.files) add(file.totals.lines);
    return (folder.lines = total);
  };
  const list = (folder, depth, prefix) => {
    const inner = [...folder.folders.values()];
    // A folder with one folder and nothing else is shown with it, on one line.
    if (prefix !== null && inner.length === 1 && folder.files.length === 0)
      return list(inner[0], depth, `${prefix}${folder.name}/`);
    if (prefix !== null)
      rows.push({kind: "folder", path: folder.path, name: `${prefix}${folder.name}/`, depth, lines: folder.lines});
    const deeper = prefix === null ? depth : depth + 1;
    for (const one of inner) list(one, deeper, "");
    for (const file of folder.files)
      rows.push({
        kind: "file",
        path: file.path,
        name: file.path.split("/").pop(),
        depth: deeper,
        lines: file.totals.lines,
        file,
      });
  };
  sum(root);
  list(root, 0, null);
  return rows;
}

/// What became of mutants, in the order in which a reader needs them.
export const stateOrder = ["survived", "not judged", "not covered", "timed out", "crashed", "killed", "equivalent"];

/// As `morph explain` names mutants: the place and operator, numbered where several share them.
function mutantIds(mutants) {
  const place = mutant => `${mutant.file}:${mutant.line}:${mutant.column}:${mutant.operator}`;
  const uses = new Map(tally(mutants, place)),
    next = new Map();
  return mutants.map(mutant => {
    const name = place(mutant);
    if (uses.get(name) === 1) return name;
    next.set(name, (next.get(name) || 0) + 1);
    return `${name}.${next.get(name)}`;
  });
}

/// Mutants, survivors first, each with the innermost function that it stands in, and the functions, most survivors first.
export function mutantRows(mutation) {
  const functionsOf = new Map();
  const functions = mutation.functions.map(one => ({...one, key: `${one.file}:${one.line} ${one.name}`, survivors: 0}));
  for (const one of functions) functionsOf.set(one.file, [...(functionsOf.get(one.file) || []), one]);
  const ids = mutantIds(mutation.mutants);
  const rows = mutation.mutants.map((mutant, index) => {
    let home = null;
    for (const one of functionsOf.get(mutant.file) || [])
      if (one.begin <= mutant.begin && mutant.end <= one.end && (!home || one.begin >= home.begin)) home = one;
    if (home && mutant.state === "survived") ++home.survivors;
    return {...mutant, id: ids[index], function: home ? home.name : "", home};
  });
  const rank = new Map(stateOrder.map((state, i) => [state, i]));
  const survivors = row => (row.home ? row.home.survivors : 0);
  rows.sort(
    (a, b) =>
      rank.get(a.state) - rank.get(b.state)
      || survivors(b) - survivors(a)
      || (a.file < b.file ? -1 : a.file > b.file ? 1 : a.begin - b.begin),
  );
  functions.sort((a, b) => b.survivors - a.survivors || b.mutants - a.mutants);
  return {rows, functions};
}

/// 17 -> "16-18"-like ranges of numbers: [[16, 18], [20, 20]].
export function ranges(numbers) {
  const found = [];
  for (const n of numbers) {
    const last = found[found.length - 1];
    if (last && last[1] + 1 === n) last[1] = n;
    else found.push([n, n]);
  }
  return found;
}
