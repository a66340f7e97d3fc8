// The strip at the top: lost servers, and each running command with its progress and Stop.
import {button, fill, h} from "./dom.js";
import {progressText} from "./results.js";

const patience = 2000; // ms until a command that only reads shows up

export class ProgressStrip {
  constructor(app) {
    this.app = app;
    this.connection = h("p", {class: "lost", role: "alert", hidden: true});
    this.list = h("ul", {class: "running", "aria-label": "Running commands"});
    this.element = h("div", {class: "strip"}, this.connection, this.list);
    this.rows = new Map();
  }
  update() {
    const {app} = this,
      now = Date.now();
    this.connection.hidden = app.trouble === "";
    if (this.connection.textContent !== app.trouble) this.connection.textContent = app.trouble;
    const runs = app.source.live
      ? app.runs.running().filter(run => !run.reads || now - Date.parse(run.started) > patience)
      : [];
    const ids = new Set(runs.map(run => run.id));
    for (const [id, row] of this.rows)
      if (!ids.has(id)) {
        row.element.remove();
        this.rows.delete(id);
      }
    for (const run of runs) {
      if (!this.rows.has(run.id)) this.rows.set(run.id, this.makeRow(run));
      const row = this.rows.get(run.id);
      if (run.total > 0) {
        row.bar.max = run.total;
        row.bar.value = run.done;
      }
      const text = progressText(run) || run.messages[run.messages.length - 1] || "";
      fill(row.text, text, () => text);
    }
    this.list.hidden = runs.length === 0;
  }
  makeRow(run) {
    const row = {bar: h("progress", {"aria-label": "progress of " + run.line}), text: h("span", {class: "quiet"})};
    row.stop = button(
      "Stop",
      async () => {
        if (!(await this.app.stop(run.id))) return;
        row.stop.textContent = "Kill";
        row.stop.setAttribute("aria-label", "Kill " + run.line);
      },
      {"aria-label": "Stop " + run.line},
    );
    row.element = h(
      "li",
      {},
      h("a", {href: `#/activity?run=${run.id}`}, h("code", {}, run.line || "a command")),
      row.bar,
      row.text,
      row.stop,
    );
    this.list.append(row.element);
    return row;
  }
}
