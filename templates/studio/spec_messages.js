// Specs: Morphy's two panes of messages, what activities reported and which relations are violated.
import {button, fill, h} from "./dom.js";
import {clock, number} from "./format.js";
import {endLine} from "./results.js";
import {violationsOf} from "./spec_cases.js";
import {resultTables} from "./spec_results.js";

const mostViolations = 100,
  mostListedRuns = 20;

/// {element, update(spec, rows)}; the details of a case stand above the messages.
export function makeSpecMessages(app, details) {
  const log = h("ol", {class: "plain log"}),
    result = h("div", {class: "result"});
  const heading = h("h2", {}),
    violations = h("ul", {class: "plain"});
  const element = h(
    "section",
    {class: "column messages", "aria-label": "Messages"},
    details.element,
    h("h2", {}, "Activity"),
    log,
    result,
    heading,
    violations,
  );
  const update = (spec, rows) => {
    const runs = [...app.runs.all.values()]
      .filter(run => run.arguments[0] === "spec" && !run.reads)
      .reverse()
      .slice(0, mostListedRuns);
    const outputs = runs.map(run => (run.state === "ended" ? app.documents.outputOf(run) : null));
    drawLog(log, runs, outputs);
    const at = outputs.findIndex(entry => entry && entry.value && !entry.value.text);
    fill(
      result,
      [at >= 0 && runs[at].id],
      () =>
        at >= 0
        && h("details", {open: true}, h("summary", {}, `Result of ${runs[at].arguments[1]}`), resultTables(outputs[at].value)),
    );
    const found = violationsOf(rows);
    fill(heading, found.length, () => `Violations: ${number(found.length)}`);
    drawViolations(app, violations, spec, found);
  };
  return {element, update};
}

function drawLog(element, runs, outputs) {
  const line = (run, i) =>
    h(
      "li",
      {},
      h("span", {class: "quiet"}, clock(run.started), " "),
      h("a", {href: "#/activity?run=" + run.id}, run.arguments[1] || "spec"),
      " ",
      endLine(run, outputs[i]),
    );
  fill(
    element,
    runs.map((run, i) => [run.id, endLine(run, outputs[i])]),
    () => (runs.length > 0 ? runs.map(line) : h("li", {class: "quiet"}, "nothing was done yet")),
  );
}

function drawViolations(app, element, spec, found) {
  const listed = found.slice(0, mostViolations);
  const line = ({id, relation, row}) =>
    h(
      "li",
      {},
      button(["✗ ", relation], () => app.router.set({case: id}), {class: "link"}),
      " ",
      h("code", {}, row.input),
      row.output && [" → ", h("code", {}, row.output)],
    );
  fill(element, [spec.name, found.length, listed.map(one => [one.id, one.relation])], () =>
    found.length === 0
      ? h("li", {class: "quiet"}, "no case of the pool violates a relation")
      : [listed.map(line), found.length > listed.length && h("li", {}, `and ${number(found.length - listed.length)} more`)],
  );
}
