// The result of a command in a line.
import {counted, number, percent, seconds} from "./format.js";
import {endOf} from "./runs.js";

const resultLines = {
  "morph.plan/1": ({state, totals}) => `${state}: ${number(totals.selected)} of ${counted(totals.total, "test")} selected`,
  "morph.why/1": ({tests}) =>
    tests.map(one => `${one.decision}: ${one.reasons.map(reason => reason.reason).join(", ")}`).join("; "),
  "morph.coverage/1": ({
    totals: {
      lines: {hit, total},
    },
  }) => `${percent(hit, total)} of ${counted(total, "line")}`,
  "morph.line-coverage/1": ({state, tests}) => (state === "run" ? `executed by ${counted(tests.length, "test")}` : state),
  "morph.test-coverage/1": ({tests: [test]}) =>
    `${counted(
      test.files.reduce((sum, file) => sum + file.lines.length, 0),
      "line",
    )} in ${counted(test.files.length, "file")}`,
  "morph.mutation/1": ({score, states}) =>
    `${score === null ? "no mutant judged" : "score " + percent(score, 1)}, ${number(states.survived)} survived`,
  "morph.explain/1": ({mutants}) => `${counted(mutants.length, "survivor")} explained`,
  "morph.scout/1": ({tests}) =>
    `${counted(
      tests.reduce((sum, test) => sum + test.relations.length, 0),
      "relation",
    )} in ${counted(tests.length, "test")}`,
  "morph.scout-specs/1": ({specs}) =>
    `${number(specs.filter(spec => spec.fate === "kept").length)} of ${counted(specs.length, "relation")} kept`,
  "morph.front/1": ({rows, plan}) => `${counted(rows.length, "set")}; the plan: ${counted(plan.tests, "test")}`,
  "morph.optimize/1": ({tests, seconds: time}) =>
    `${number(tests.filter(one => one.kept).length)} of ${counted(tests.length, "test")} in ${seconds(time)}`,
  "morph.recording/1": ({recording, script, commands}) =>
    recording ? `recording into ${script}` : `${script}: ${counted(commands, "command")}`,
  "morph.scripts/1": ({scripts}) => counted(scripts.length, "script"),
  "morph.script/1": ({path}) => path,
  "morph.script-steps/1": ({steps}) => counted(steps.length, "step"),
  "morph.script-play/1": ({steps}) =>
    `${number(steps.filter(step => step.status !== "not run").length)} of ${counted(steps.length, "step")} played`,
  "morph.history/1": ({runs, audits}) => `${counted(runs.length, "run")}, ${counted(audits.length, "audit")}`,
  "morph.audit/1": ({run}) =>
    `${number(run.selected)} of ${counted(run.tests, "test")} selected, ${counted(run.missed.length, "failure")} missed`,
  "morph.store/1": ({measurements}) => counted(measurements.length, "measurement"),
};

/// Of a document.
export function resultOf(value) {
  if (value.text !== undefined) return value.text.trim().split("\n")[0];
  if (value.borders)
    return `${counted(value.borders.length, "border")} between ${counted(value.classes.length, "class", "classes")}`;
  if (value.cases !== undefined)
    return Object.entries(value)
      .filter(([name]) => name !== "schema")
      .map(([name, one]) => `${name} ${typeof one === "number" ? Math.round(1000 * one) / 1000 : one}`)
      .join(", ");
  if (value.specs && value.specs[0] && value.specs[0].violations) return specRunResult(value.specs);
  if (value.schema in resultLines) return resultLines[value.schema](value);
  return value.specs && value.specs[0] && value.specs[0].datamorphisms ? counted(value.specs.length, "spec") : "";
}

function specRunResult(specs) {
  const failed = specs.find(spec => spec.error);
  if (failed) return `${failed.spec}: ${failed.error}`;
  const sum = key => specs.reduce((all, spec) => all + (spec.relations || []).reduce((n, one) => n + one[key], 0), 0);
  return `${number(sum("pass"))} checks pass, ${number(sum("fail"))} fail, ${number(sum("not_applicable"))} do not apply`;
}

/// How far a run is: "judging mutants: 5 of 90 mutants".
export function progressText(run) {
  if (run.total === 0 && run.doing === "") return "";
  const count =
    run.total > 0
      ? `${number(run.done)} of ${number(run.total)} ${run.unit}`
      : run.done > 0
        ? `${number(run.done)} ${run.unit}`
        : "";
  return [run.doing, count].filter(Boolean).join(": ").trim();
}

/// Of a run: how it ended, and the message that says most.
export function endLine(run, output) {
  const {messages} = run;
  if (output && output.error) return `${endOf(run)}: ${output.error}`;
  const result = output && output.value ? resultOf(output.value) : "";
  if (result) return `${endOf(run)}: ${result}`;
  const summary = run.arguments[0] === "ctest" && messages.findLast(text => / tests passed, /.test(text));
  const last = summary || messages.findLast(text => text.trim() !== "");
  const progress = run.state === "running" ? progressText(run) : "";
  return progress || [endOf(run), (last || "").trim()].filter(Boolean).join(": ");
}
