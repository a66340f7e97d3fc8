// What commands print with --json, asked once and kept until data change.
import {commandLine} from "./format.js";
import {isReader} from "./runs.js";

const mostAtOnce = 2;
const fresh = 30000; // ms for which another tab's answer will do: builds and edits change answers, too, and no event says so

/// The JSON, or the lines of JSON, that a run printed; where text is expected, {text}. Throws its error.
export function parseOutput(text, run, words = []) {
  const first = text.slice(0, 300).trimStart(),
    takesText = words.includes("--tree") || !isReader(words);
  if (first === "" && run && run.exit === 0 && isLines(words)) return [];
  if (first === "") throw new Error(lastWords(run) || "the command printed nothing");
  if (!/^[{[]/.test(first)) {
    if (takesText) return {text};
    throw new Error(lastWords(run) || first.split("\n")[0]);
  }
  let value;
  try {
    value = JSON.parse(text);
    if (isLines(words) && !value.schema && !value.errors) value = [value];
  } catch (error) {
    value = text
      .split("\n")
      .filter(line => line !== "")
      .map(line => JSON.parse(line));
  }
  if (value.schema === "morph.error/1") throw new Error(value.errors.map(one => one.message || one).join("; "));
  return value;
}

/// Whether it prints one document per line.
function isLines(words) {
  return words[0] === "spec" && words[1] === "show";
}

function lastWords(run) {
  return run && run.messages.length > 0 ? run.messages[run.messages.length - 1] : "";
}

export class Documents {
  constructor(source, runs, onChange) {
    Object.assign(this, {source, runs, onChange, all: new Map(), waiting: [], active: 0});
  }
  /// The document of a command that reads: {words, status: loading | ready | failed, value, error, at, run}.
  /// It is asked for if it is new or stale.
  want(words) {
    const key = JSON.stringify(words);
    let entry = this.all.get(key);
    if (!entry)
      this.all.set(
        key,
        (entry = {key, words, status: "loading", value: undefined, error: "", at: null, run: null, stale: true, asked: false}),
      );
    if (entry.stale && !entry.asked) this.ask(entry);
    return entry;
  }
  /// What a run printed that has ended, whatever it did besides.
  outputOf(run) {
    const key = "run " + run.id;
    let entry = this.all.get(key);
    if (!entry) {
      this.all.set(
        key,
        (entry = {
          key,
          words: run.arguments,
          status: "loading",
          value: undefined,
          error: "",
          at: null,
          run: run.id,
          stale: false,
          asked: true,
        }),
      );
      if (run.state === "ended") this.read(entry);
    }
    return entry;
  }
  /// What is there, without asking.
  peek(words) {
    return this.all.get(JSON.stringify(words));
  }
  again(words) {
    const entry = this.want(words);
    if (!entry.asked) this.ask(entry, true);
  }
  ask(entry, anew = false) {
    entry.asked = true;
    entry.stale = false;
    entry.recorded = anew;
    if (this.source.live && !isReader(entry.words)) throw new Error("not a command that only reads: " + entry.words.join(" "));
    if (entry.status !== "ready") entry.status = "loading";
    const found = anew ? null : this.runs.newest(entry.key);
    const known =
      found && (!this.source.live || found.state === "running" || Date.now() - Date.parse(found.started) < fresh)
        ? found
        : null;
    if (known || !this.source.live) {
      if (!known) return void this.derive(entry);
      entry.run = known.id;
      if (known.state !== "running") this.read(entry);
      return;
    }
    this.waiting.push(entry);
    this.startNext();
  }
  /// Of a page with its data: as a part of another document.
  async derive(entry) {
    try {
      const value = await this.source.derived(entry.words);
      if (value === undefined) throw new Error(`this page was saved without it; ${commandLine(entry.words)} has it`);
      Object.assign(entry, {value, status: "ready", error: "", asked: false});
      this.onChange();
    } catch (error) {
      this.fail(entry, error);
    }
  }
  async startNext() {
    while (this.active < mostAtOnce && this.waiting.length > 0) {
      const entry = this.waiting.shift();
      ++this.active;
      entry.slot = true;
      try {
        const started = await this.source.start(entry.words, entry.recorded);
        entry.run = started.id;
        const run = this.runs.all.get(started.id);
        if (run && run.state === "ended") this.read(entry);
      } catch (error) {
        this.fail(entry, error);
      }
    }
  }
  /// Called for each run that ended.
  ended(run) {
    for (const entry of this.all.values()) if (entry.asked && entry.run === run.id) this.read(entry);
  }
  async read(entry) {
    const run = this.runs.all.get(entry.run);
    try {
      const text = await this.source.output(entry.run);
      entry.value = parseOutput(text, run, entry.words);
      Object.assign(entry, {status: "ready", error: "", at: run && run.started, asked: false});
      this.leave(entry);
      this.onChange();
    } catch (error) {
      this.fail(entry, run && run.signal ? new Error(`the command ended by signal ${run.signal}`) : error);
    }
  }
  fail(entry, error) {
    Object.assign(entry, {status: "failed", error: error.message, asked: false});
    this.leave(entry);
    this.onChange();
  }
  leave(entry) {
    if (!entry.slot) return;
    entry.slot = false;
    --this.active;
    this.startNext();
  }
  /// Data changed: what is shown is asked again when it is next wanted.
  spoil() {
    for (const entry of this.all.values()) entry.stale = true;
  }
  /// After a lost server: what was asked may never end.
  forgetAsked() {
    this.waiting = [];
    this.active = 0;
    for (const entry of this.all.values()) {
      if (entry.asked) Object.assign(entry, {asked: false, slot: false, stale: true});
      if (entry.status === "failed") entry.stale = true;
    }
  }
}
