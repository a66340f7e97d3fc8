// The runs of commands, as events tell them: state, progress, messages, and which came before the last change of data.

const mostMessages = 20000; // of one run; the oldest go
const readers = [
  ["plan"],
  ["report"],
  ["store", "info"],
  ["store", "history"],
  ["store", "export"],
  ["store", "verify"],
  ["spec", "list"],
  ["spec", "show"],
  ["script", "list"],
  ["script", "play", "--dry-run"],
  ["explain", "--stage", "suggestion"],
  ["optimize"],
  ["doctor"],
  ["diff"],
  ["script", "show"],
];
const valueOptions = new Set(["--build", "--progress-fd", "--config"]);

/// Whether the command only reads, so that pages may start it by themselves.
export function isReader(words) {
  return readers.some(reader => reader.every((word, i) => words[i] === word));
}

/// Without what the server adds.
export function ownWords(words) {
  const own = [];
  for (let i = 0; i < words.length; ++i) {
    if (valueOptions.has(words[i])) ++i;
    else if (words[i] !== "--json") own.push(words[i]);
  }
  return own;
}

export class Runs {
  constructor() {
    this.clear();
  }
  clear() {
    this.all = new Map();
    this.lastEvent = 0;
    this.lastChange = 0;
  }
  /// The run with this number, made if it is new.
  at(id) {
    if (!this.all.has(id))
      this.all.set(id, {
        id,
        line: "",
        arguments: [],
        state: "running",
        exit: null,
        signal: null,
        done: 0,
        total: 0,
        unit: "",
        doing: "",
        messages: [],
        dropped: 0,
        begun: this.lastEvent,
        key: "",
      });
    return this.all.get(id);
  }
  take(run) {
    const known = Object.assign(this.at(run.id), run);
    known.key = JSON.stringify(ownWords(run.arguments || []));
    known.reads = isReader(run.arguments || []);
    return known;
  }
  /// True if data may have changed by it.
  feed(id, event) {
    if (id) this.lastEvent = Math.max(this.lastEvent, id);
    if (event.type === "run-started") {
      this.take(event.run).begun = id;
    } else if (event.type === "progress") {
      Object.assign(this.at(event.id), {
        done: event.done,
        total: event.total,
        unit: event.unit || "",
        doing: event.doing || "",
      });
    } else if (event.type === "message") {
      const run = this.at(event.id);
      run.messages.push(event.text);
      if (run.messages.length > mostMessages) run.dropped += run.messages.splice(0, mostMessages / 10).length;
    } else if (event.type === "run-ended") {
      const run = this.take(event.run);
      run.ended = Date.now();
      if (run.reads) return false;
    } else if (event.type !== "changed") {
      return false;
    }
    if (event.type !== "changed" && event.type !== "run-ended") return false;
    this.lastChange = id;
    return true;
  }
  running() {
    return [...this.all.values()].filter(run => run.state === "running");
  }
  /// The newest run of these words whose output is still good, or nothing.
  newest(key) {
    return [...this.all.values()]
      .reverse()
      .find(run => run.key === key && (run.state === "running" || !run.signal) && run.begun >= this.lastChange);
  }
}

/// How a run ended, in a line.
export function endOf(run) {
  if (run.state === "running") return "running";
  if (run.signal) return run.signal === 2 || run.signal === "SIGINT" ? "stopped" : `ended by signal ${run.signal}`;
  const meanings = {0: "done", 1: "done, with findings", 2: "not understood", 3: "something is missing", 4: "a bug in Morph"};
  if (run.arguments[0] === "ctest") return run.exit === 0 ? "done" : `done, exit code ${run.exit}: some tests failed`;
  return `${meanings[run.exit] || "ended"} (exit code ${run.exit})`;
}
