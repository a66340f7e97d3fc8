// Specs: the cases of a pool as rows, and their violations.

function short(value) {
  return value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
}

/// Rows of lines of `morph spec show --json`, of the first executer or the named one.
export function caseRows(lines, executer) {
  return lines.map(one => {
    const run = (one.runs || []).find(each => !executer || each.executer === executer) || {};
    const verdicts = Object.entries(run.verdicts || {});
    const count = how => verdicts.filter(([, verdict]) => verdict === how).length;
    return {
      id: one.id,
      by: one.by,
      from: one.from || [],
      input: short(one.in),
      value: one.in,
      output: run.out === undefined ? run.ended || "" : short(run.out),
      expected: short(one.expected),
      verdicts,
      pass: count("pass"),
      fail: count("fail"),
      none: count("n/a"),
      metrics: one.metrics || {},
    };
  });
}

/// [{id, relation, row}...]
export function violationsOf(rows) {
  return rows.flatMap(row =>
    row.verdicts.filter(([, verdict]) => verdict === "fail").map(([relation]) => ({id: row.id, relation, row})),
  );
}
