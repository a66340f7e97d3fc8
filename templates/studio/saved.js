// Data that stand in the page, or in scripts beside it: what `morph report html` and other commands have written.
import {commandLine} from "./format.js";

/// Data: {version, repository, build, at, screens, documents, sources, parts}. Each document is {arguments, exit, messages} with an
/// `output`, or with the number of the `part` that has it; a source is its text, or {part}. Parts are names of files beside the page.
export class EmbeddedSource {
  constructor(data, page = window) {
    this.live = false;
    this.data = data;
    this.page = page;
    this.screens = data.screens;
    this.loaded = new Map();
    this.waiting = new Map();
    page.morphPart = (number, value) => this.loaded.set(number, value);
  }
  async state() {
    const runs = this.data.documents.map((one, id) => ({
      id,
      line: commandLine(one.arguments),
      arguments: one.arguments,
      state: "ended",
      exit: one.exit || 0,
      signal: null,
      started: this.data.at || null,
      messages: one.messages || [],
    }));
    const {version, repository, build = "", at: saved} = this.data;
    return {version, repository, build, saved, commands: [], runs, last_event: 0};
  }
  async start() {
    throw new Error("this page was saved with its data; it starts nothing");
  }
  async stop() {}
  /// What a file beside the page holds.
  part(number) {
    if (this.loaded.has(number)) return this.loaded.get(number);
    if (!this.waiting.has(number)) this.waiting.set(number, this.load(number));
    return this.waiting.get(number);
  }
  async load(number) {
    const name = this.data.parts[number],
      {document} = this.page;
    const script = document.createElement("script");
    script.src = encodeURIComponent(name);
    const ended = new Promise(done => {
      script.onload = script.onerror = done;
    });
    document.head.append(script);
    await ended;
    script.remove();
    this.waiting.delete(number);
    if (!this.loaded.has(number)) throw new Error(`'${name}', which belongs beside this page, is not there`);
    return this.loaded.get(number);
  }
  async valueOf({output, part}) {
    return part === undefined ? output : this.part(part);
  }
  async output(id) {
    const output = await this.valueOf(this.data.documents[id]);
    return typeof output === "string" ? output : JSON.stringify(output);
  }
  async file(path) {
    const known = (this.data.sources || {})[path];
    if (known === undefined) throw new Error(`the source of '${path}' is not in this page`);
    return typeof known === "string" ? known : (await this.part(known.part))[path];
  }
  async bytes() {
    throw new Error("images are not in this page");
  }
  /// The document of these words as a part of another, or nothing.
  async derived(words) {
    const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);
    const rule = derivations.find(one => isSame(one.words, words.slice(0, -1)));
    const whole = rule && this.data.documents.find(one => isSame(one.arguments, rule.from));
    return whole && rule.part(await this.valueOf(whole), words[words.length - 1]);
  }
  listen(after, listener) {
    listener.connected();
  }
}

function reasonsOf(all, name) {
  const tests = (all.tests || []).filter(one => one.name === name || one.case === name);
  return tests.length > 0 ? {...all, tests} : undefined;
}

function executedBy(coverage, name) {
  if (!coverage.tests) return undefined;
  const tests = coverage.tests.map((test, index) => ({...test, index})).filter(one => one.name === name || one.case === name);
  if (tests.length === 0) return undefined;
  const filesOf = index => {
    const has = coverage.test_sets.map(set => set.includes(index));
    return coverage.files
      .map(file => ({path: file.path, lines: file.lines.filter(([, set]) => has[set]).map(([line]) => line)}))
      .filter(file => file.lines.length > 0);
  };
  return {tests: tests.map(test => ({...test, files: filesOf(test.index)}))};
}

const derivations = [
  {words: ["plan", "--why"], from: ["plan", "--why"], part: reasonsOf},
  {words: ["report", "coverage", "--per-test"], from: ["report", "coverage"], part: executedBy},
];
