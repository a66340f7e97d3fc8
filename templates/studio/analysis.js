// Analysis: what analysers say of the cases of a pool, in pages of `morph spec analyse`.
import {barChart} from "./chart.js";
import {h} from "./dom.js";
import {counted, number} from "./format.js";
import {figureTable, resultScreen} from "./result_page.js";

const mostFailingBars = 40;

/// Bars of failed checks, if the rows hold verdicts.
function failedChecks({title, columns, rows}) {
  const [fail, pass] = ["fail", "pass"].map(name => columns.indexOf(name));
  const failing = rows.filter(row => row[0] !== "all" && row[fail] > 0).sort((a, b) => b[fail] - a[fail]);
  if (fail < 0 || pass < 0 || failing.length === 0) return null;
  const bars = failing.slice(0, mostFailingBars).map(row => ({
    label: String(row[0]),
    value: row[fail],
    text: `${number(row[fail])} of ${counted(row[fail] + row[pass], "check")}`,
    kind: 5,
  }));
  return [h("h3", {}, "Failed checks"), barChart({title: `Failed checks: ${title}`, bars})];
}

function drawAnalysis(each) {
  const figures = each.columns.map((none, i) => i).filter(i => i > 0);
  return h(
    "section",
    {},
    h("h2", {}, each.title),
    each.text && h("pre", {}, each.text),
    failedChecks(each),
    each.columns.length > 0 && figureTable({label: each.title, columns: each.columns, rows: each.rows, bars: figures}),
  );
}

export const analysisScreen = resultScreen({
  name: "analysis",
  title: "Analysis",
  about: "what analysers say of a pool",
  command: ["spec", "analyse"],
  what: "analysis",
  draw: value => value.analyses.map(drawAnalysis),
});
