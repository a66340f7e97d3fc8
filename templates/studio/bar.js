// The command bar: the line of an action, Copy, Run, and its result in a line.
import {button, fill, h} from "./dom.js";
import {clock, commandLine, counted} from "./format.js";
import {endLine, resultOf} from "./results.js";
import {isReader} from "./runs.js";

export class CommandBar {
  constructor(app) {
    this.app = app;
    this.offered = null; // {words, title, run, error}
    this.title = h("span", {class: "title"});
    this.line = h("code", {tabindex: 0, "aria-label": "command line"});
    this.copy = button("Copy", () => this.copyLine());
    this.add = button("Add to script", () => this.addToDraft(), {title: "to the new script of the screen Scripts"});
    this.run = button("Run", () => this.start(), {class: "main"});
    this.result = h("output", {role: "status"});
    this.more = h("a", {hidden: true}, "messages");
    this.element = h(
      "section",
      {class: "bar", "aria-label": "Command"},
      this.title,
      this.line,
      this.copy,
      this.add,
      this.run,
      this.result,
      this.more,
    );
  }
  /// Shows the command; the reader runs it. The screen's own document shows when nothing is offered.
  offer(words, title) {
    this.offered = {words, title, run: null, error: ""};
    this.update();
    (this.run.disabled ? this.copy : this.run).focus();
  }
  drop() {
    this.offered = null;
    this.update();
  }
  words() {
    return this.offered ? this.offered.words : this.app.screen.words(this.app);
  }
  async copyLine() {
    const text = this.line.textContent;
    try {
      await navigator.clipboard.writeText(text);
      this.app.say("copied: " + text);
    } catch {
      getSelection().selectAllChildren(this.line);
      this.app.say("the browser does not copy here; the line is selected: Ctrl-C");
    }
  }
  addToDraft() {
    this.app.draft.push(commandLine(this.words()));
    this.app.say(`the new script of the screen Scripts has ${counted(this.app.draft.length, "command")}`);
  }
  async start() {
    const words = this.words();
    if (!this.offered) this.offered = {words, title: this.app.screen.title, run: null, error: ""};
    const offered = this.offered;
    if (isReader(words)) {
      this.app.documents.again(words);
      offered.reads = true;
      return this.update();
    }
    try {
      const started = await this.app.source.start(words);
      offered.run = started.id;
      offered.line = started.line;
    } catch (error) {
      offered.error = error.message;
    }
    this.update();
  }
  resultText(words) {
    const {offered, app} = this;
    if (offered && offered.error) return "not started: " + offered.error;
    if (!app.source.live) return "saved page: nothing can be run from here";
    if (!app.canRun(words)) return "to type in a terminal; the server does not start it";
    const run = offered && app.runs.all.get(offered.run);
    if (run) return endLine(run, run.state === "ended" && run.arguments[0] !== "ctest" ? app.documents.outputOf(run) : null);
    const entry = app.documents.peek(words);
    if (!entry) return "";
    if (entry.asked) return "running";
    if (entry.value === undefined) return entry.error;
    return [entry.error, resultOf(entry.value), entry.at && "as of " + clock(entry.at)].filter(Boolean).join("; ");
  }
  update() {
    const words = this.words();
    if (!words) return void (this.element.hidden = true);
    this.element.hidden = false;
    const runnable = this.app.canRun(words);
    fill(this.title, [this.offered && this.offered.title], () => (this.offered ? this.offered.title : "This screen"));
    const line = (this.offered && this.offered.line) || commandLine(words);
    if (this.line.textContent !== line) this.line.textContent = line;
    const run = this.offered && this.app.runs.all.get(this.offered.run);
    this.add.hidden = words[0] === "ctest" || words[0] === "script" || !this.app.source.live;
    this.run.disabled = !runnable || Boolean(run && run.state === "running");
    const again = (run && run.state === "ended") || (!this.offered && this.app.documents.peek(words));
    this.run.textContent = again ? "Run again" : "Run";
    this.more.hidden = !run;
    if (run) this.more.href = "#/activity?run=" + run.id;
    const text = this.resultText(words);
    if (this.result.textContent !== text) this.result.textContent = text;
  }
}
