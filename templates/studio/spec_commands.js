// Specs: which morphisms are ticked, and the command lines that activities become.

/// Kinds of morphisms: the member of `morph spec list --json`, the letter in the address, and whether all are ticked at first.
export const morphismKinds = [
  {kind: "seeds", letter: "s", title: "Seed makers", ticked: true},
  {kind: "datamorphisms", letter: "d", title: "Datamorphisms", ticked: true},
  {kind: "relations", letter: "r", title: "Relations", ticked: true},
  {kind: "executers", letter: "e", title: "Executers", ticked: false},
  {kind: "case metrics", letter: "m", title: "Case metrics", ticked: false},
  {kind: "case filters", letter: "f", title: "Case filters", ticked: false},
  {kind: "set metrics", letter: "n", title: "Set metrics", ticked: false},
  {kind: "set filters", letter: "g", title: "Set filters", ticked: false},
  {kind: "analysers", letter: "a", title: "Analysers", ticked: false},
];
export const builtInFilters = ["seeds", "mutants", "failed", "distinct"];

/// The ticks, as differences from what is ticked at first: "d3.r0".
export class Ticks {
  constructor(spec, word) {
    this.spec = spec;
    this.flipped = new Set(word ? word.split(".") : []);
  }
  has(kind, i) {
    const {letter, ticked} = morphismKinds.find(one => one.kind === kind);
    return this.flipped.has(letter + i) !== ticked;
  }
  /// The word of the address after a tick.
  flip(kind, i) {
    const key = morphismKinds.find(one => one.kind === kind).letter + i;
    const all = new Set(this.flipped);
    if (!all.delete(key)) all.add(key);
    return [...all].sort().join(".");
  }
  /// The word of the address with all of a kind ticked, or none.
  setAll(kind, on) {
    const {letter, ticked} = morphismKinds.find(one => one.kind === kind);
    const all = new Set([...this.flipped].filter(key => key[0] !== letter));
    if (on !== ticked) this.names(kind).forEach((name, i) => all.add(letter + i));
    return [...all].sort().join(".");
  }
  names(kind) {
    return this.spec[kind] || [];
  }
  chosen(kind) {
    return this.names(kind).filter((name, i) => this.has(kind, i));
  }
  /// An option for each ticked one; nothing if all are, which is the command's default.
  options(kind, option) {
    const chosen = this.chosen(kind);
    return chosen.length === this.names(kind).length ? [] : chosen.flatMap(name => [option, name]);
  }
}

/// At most how many cases a strategy makes of so many seeds, by orders: tuples of different cases.
export function casesOfOrder(spec, seeds, order) {
  let cases = seeds;
  for (let i = 0; i < order; ++i) {
    let mutants = 0;
    for (const arity of spec.arities || []) {
      let tuples = 1;
      for (let k = 0; k < arity; ++k) tuples *= Math.max(0, cases - k);
      mutants += tuples;
    }
    cases += mutants;
  }
  return cases;
}

/// Morphy's activities and strategies: [{title, words, why}]; why is set where nothing can be done. `fields`: what was typed for
/// the order, the state's file, the script and a seed.
export function specActivities(ticks, pool, marked, fields = {}) {
  const {order = "2", state = "specs.state", script = "session", typed = ""} = fields;
  const name = ticks.spec.name;
  const on = (activity, ...more) => ["spec", activity, "--spec", name, "--pool", pool, ...more.flat()];
  const filters = [...ticks.chosen("case filters"), ...ticks.chosen("set filters")].flatMap(one => ["--by", one]);
  const towards = ticks.chosen("set metrics")[0] || "coverage";
  const needs = (kind, what) => (ticks.chosen(kind).length === 0 ? `tick ${what} first` : "");
  const made = [...ticks.options("seeds", "--seeds"), ...ticks.options("datamorphisms", "--datamorphism")];
  const executer = ticks
    .chosen("executers")
    .slice(0, 1)
    .flatMap(one => ["--executer", one]);
  return [
    {
      group: "Activities",
      title: "Seed",
      words: on("seed", ticks.options("seeds", "--seeds")),
      why: needs("seeds", "a seed maker"),
    },
    {
      group: "Activities",
      title: "Type in",
      words: on("seed", ticks.options("seeds", "--seeds"), "--input", typed),
      why: typed === "" ? "type a seed first, and tick the list that reads standard input" : needs("seeds", "a seed maker"),
    },
    {
      group: "Activities",
      title: "Mutate",
      words: on("mutate", ticks.options("datamorphisms", "--datamorphism")),
      why: needs("datamorphisms", "a datamorphism"),
    },
    {group: "Activities", title: "Execute", words: on("execute")},
    {
      group: "Activities",
      title: "Check",
      words: on("check", ticks.options("relations", "--relation")),
      why: needs("relations", "a relation"),
    },
    {group: "Activities", title: "Measure", words: on("measure", executer)},
    {
      group: "Activities",
      title: "Filter",
      words: on("filter", filters, executer),
      why: filters.length === 0 ? "tick a filter first" : "",
    },
    {
      group: "Activities",
      title: "Analyse",
      words: on(
        "analyse",
        ticks.chosen("analysers").flatMap(one => ["--by", one]),
        executer,
      ),
    },
    {
      group: "Activities",
      title: "Delete marked",
      words: on(
        "filter",
        "--remove",
        [...marked].flatMap(id => ["--id", id]),
      ),
      why: marked.size === 0 ? "mark cases in the table first" : "",
    },
    {group: "Strategies", title: "First order", words: ["spec", "run", "--spec", name, "--order", "1", ...made]},
    {group: "Strategies", title: "Higher order", words: ["spec", "run", "--spec", name, "--order", order, ...made]},
    {
      group: "Strategies",
      title: "Combinations",
      words: ["spec", "run", "--spec", name, "--strategy", "combinatorial", ...made],
    },
    {group: "Strategies", title: "Explore borders", words: ["spec", "explore", "--spec", name]},
    {group: "Strategies", title: "Breed", words: ["spec", "breed", "--spec", name, "--pool", pool, "--towards", towards]},
    {
      group: "State",
      title: "Empty and seed",
      words: on("seed", "--new", ticks.options("seeds", "--seeds")),
      why: needs("seeds", "a seed maker"),
    },
    {group: "State", title: "Save", words: ["spec", "state", "save", state, "--pool", pool]},
    {group: "State", title: "Load", words: ["spec", "state", "load", state, "--force"]},
    {group: "State", title: "Clear", words: ["spec", "state", "clear", "--force"]},
    {group: "State", title: "Record", words: ["script", "record", script]},
    {group: "State", title: "End recording", words: ["script", "stop"]},
  ];
}
