// Activity: every command that this server started, how it ended, and what it wrote.
import {button, fill, h} from "./dom.js";
import {clock, counted, number} from "./format.js";
import {progressText} from "./results.js";
import {endOf} from "./runs.js";
import {Table} from "./table.js";

const runColumns = [
  {title: "began", width: 6, text: row => clock(row.started), key: row => row.id},
  {title: "command", width: 20, grow: 3, text: row => row.line, draw: row => h("code", {}, row.line)},
  {
    title: "state",
    width: 12,
    grow: 1,
    text: row => (row.state === "running" ? "▶ " : row.exit === 0 ? "✓ " : row.exit === 1 ? "! " : "✗ ") + endOf(row),
  },
  {title: "progress", width: 10, grow: 1, text: row => (row.state === "running" ? progressText(row) : "")},
];
const messageColumns = [
  {title: "line", width: 4, right: true, text: row => String(row.number), key: row => row.number},
  {title: "message", width: 40, grow: 1, text: row => row.text, draw: row => h("code", {}, row.text)},
];

export const activityScreen = {
  name: "activity",
  title: "Activity",
  about: "commands that ran here, and what they wrote",
  words: () => null,
  open(app) {
    const runsTable = new Table({
      label: "Commands",
      columns: runColumns,
      id: row => String(row.id),
      empty: "nothing was started yet",
      onOpen: row => app.router.set({run: String(row.id)}),
      onSort: () => {},
    });
    const messages = new Table({
      label: "Messages",
      columns: messageColumns,
      id: row => row.number,
      height: 1.3,
      empty: "no message",
      onSort: () => {},
    });
    messages.element.classList.add("source");
    const heading = h("h2", {class: "path"}),
      state = h("p", {class: "quiet"}),
      buttons = h("div", {class: "buttons"});
    const second = h(
      "section",
      {class: "column", "aria-label": "Messages of the command"},
      heading,
      state,
      buttons,
      messages.element,
    );
    const element = h(
      "div",
      {class: "fill"},
      h("div", {class: "screen"}, h("div", {class: "panes rows2"}, runsTable.element, second)),
    );
    let shownRuns = "",
      shownMessages = "";
    const update = () => {
      const runs = [...app.runs.all.values()].reverse();
      const now = JSON.stringify(runs.map(run => [run.id, run.state, run.exit, run.signal, run.done, run.total, run.line]));
      if (now !== shownRuns) {
        shownRuns = now;
        runsTable.setRows(runs);
      }
      const run = app.runs.all.get(Number(app.router.words.run)) || runs.find(one => !one.reads) || runs[0];
      second.hidden = !run;
      if (!run) return;
      runsTable.select(String(run.id));
      fill(heading, [run.id, run.line], () => run.line);
      fill(
        state,
        [run.id, endOf(run), run.messages.length],
        () =>
          `${endOf(run)}; ${counted(run.messages.length + run.dropped, "message")}` +
          (run.dropped > 0 ? `, the first ${number(run.dropped)} are gone` : ""),
      );
      fill(buttons, [run.id, run.state], () =>
        run.state === "running"
          ? button("Stop", () => app.stop(run.id))
          : button("Run again", () => app.bar.offer(run.key ? JSON.parse(run.key) : run.arguments, "Run again")),
      );
      const written = `${run.id} ${run.dropped} ${run.messages.length}`;
      if (written === shownMessages) return;
      const atEnd = messages.grid.scrollTop + messages.grid.clientHeight >= messages.grid.scrollHeight - 4;
      const same = shownMessages.startsWith(run.id + " ");
      shownMessages = written;
      messages.setRows(run.messages.map((text, i) => ({number: run.dropped + i + 1, text})));
      if ((run.state === "running" && atEnd) || !same)
        messages.grid.scrollTop = run.state === "running" ? messages.grid.scrollHeight : 0;
    };
    return {element, update, table: runsTable};
  },
};
