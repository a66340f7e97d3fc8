// Budgets of the optimizer: each a set of tests that it buys, and the command that makes it.
import {counted, number, percent, seconds} from "./format.js";

export const frontWords = ["plan", "--pareto"];
export const setWords = ["optimize"];
const steps = 20; // of the budget of all tests

/// Enough for a set that takes this long: rounded up to microseconds.
function budgetWord(time) {
  return String(Math.ceil(1e6 * time - 1e-3) / 1e6);
}

const frontRowsOf = new WeakMap();

/// Of `morph plan --pareto`: its rows, with the plan marked. `chosen` is that of the address, or the plan.
function frontRows(front) {
  if (!frontRowsOf.has(front)) {
    const {plan} = front;
    const isPlan = row => row.seconds === plan.seconds && row.tests === plan.tests;
    const isOfChange = front.of === "changed";
    const rows = front.rows.map((row, at) => ({
      ...row,
      at,
      key: String(at),
      y: isOfChange ? row.changed : row.lines,
      isPlan: isPlan(row),
      text:
        `${seconds(row.seconds)} buy ${counted(row.tests, "test")}: ${percent(row.changed, 1)} of the change, `
        + `${percent(row.lines, 1)} of all lines`,
    }));
    frontRowsOf.set(front, rows);
  }
  return frontRowsOf.get(front);
}

function chosenOf(app, budgets, otherwise) {
  const {at} = app.router.words;
  return at !== undefined && Number(at) < budgets.length ? Number(at) : Math.max(0, otherwise);
}

/// {budgets, chosen, text, words, about} of the change.
export function frontOf(app) {
  const known = app.documents.peek(frontWords);
  if (!known || !known.value) return {budgets: [], words: frontWords};
  const {plan} = known.value,
    budgets = frontRows(known.value);
  const about =
    `The plan runs ${counted(plan.tests, "test")} in ${seconds(plan.seconds)}: ${percent(plan.changed, 1)} of the change.`
    + (budgets.length === 0 ? " Nothing that changed is executed by a test whose time is known." : "");
  if (budgets.length === 0) return {budgets, about, chosen: 0, text: "", words: frontWords};
  const within = budgets.findLastIndex(row => row.seconds <= plan.seconds + 1e-9);
  const chosen = chosenOf(app, budgets, within);
  return {
    budgets,
    chosen,
    about,
    text: budgets[chosen].text,
    y: known.value.of === "changed" ? "of the changed lines" : "of all lines",
    others: [
      {
        x: plan.seconds,
        y: known.value.of === "changed" ? plan.changed : plan.lines,
        kind: 1,
        label: `the plan: ${counted(plan.tests, "test")}, ${seconds(plan.seconds)}`,
      },
    ],
    words: app.router.words.at === undefined ? frontWords : ["plan", "--budget", budgetWord(budgets[chosen].seconds)],
  };
}

/// The same of all tests: the last budget is all that is needed. `asks`: the chosen set is asked for.
export function setsOf(app, asks) {
  const known = app.documents.peek(setWords);
  if (!known || !known.value) return {budgets: [], words: setWords};
  const least = known.value;
  const words = at =>
    at === steps ? setWords : ["optimize", "--budget", budgetWord((least.seconds * (at + 1)) / (steps + 1))];
  const textOf = set => {
    const kept = set.tests.filter(test => test.kept).length;
    return (
      `${seconds(set.seconds)} buy ${counted(kept, "test")} of ${number(set.tests.length)}: `
      + `${percent(set.covered, least.covered)} of what all cover`
      + (set.proven ? ", proven best" : "")
    );
  };
  const budgets = Array.from({length: steps + 1}, (none, at) => {
    const entry = app.documents.peek(words(at)),
      set = entry && entry.value;
    return set ? {at, seconds: set.seconds, y: set.covered / (least.covered || 1), text: textOf(set)} : {at};
  });
  const chosen = chosenOf(app, budgets, steps);
  const entry = asks ? app.want(words(chosen)) : app.documents.peek(words(chosen)),
    set = entry && entry.value;
  const runs = least.always.length > 0 ? ` Beside them ${counted(least.always.length, "test")} must always run.` : "";
  return {
    budgets,
    chosen,
    words: words(chosen),
    y: "covered",
    others: [],
    set,
    text: set ? textOf(set) : entry && entry.error ? entry.error : `searching: ${words(chosen).slice(1).join(" ")}`,
    about:
      `${counted(least.tests.length, "test")} take ${seconds(least.total_seconds)}; `
      + `${number(least.tests.filter(test => test.kept).length)} of them cover the same in ${seconds(least.seconds)}.${runs}`,
  };
}
