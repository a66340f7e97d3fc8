// Numbers, times and command lines as text.

const grouped = new Intl.NumberFormat("en");

export function number(n) {
  return grouped.format(n);
}

export function counted(n, singular, plural = singular + "s") {
  return `${number(n)} ${n === 1 ? singular : plural}`;
}

/// 100 % only if nothing is missing, 0 % only if all is.
export function percent(part, whole) {
  if (part > 0 && part / whole < 0.001) return "< 0.1 %";
  return whole > 0 ? `${(Math.floor((1000 * part) / whole) / 10).toFixed(1)} %` : "–";
}

export function seconds(s) {
  if (s === null || s === undefined) return "–";
  if (s === 0) return "0 s";
  if (s < 0.001) return `${Math.max(1, Math.round(1e6 * s))} µs`;
  if (s < 1) return `${(1000 * s).toFixed(s < 0.01 ? 1 : 0)} ms`;
  if (s < 60) return `${s.toFixed(s < 10 ? 2 : 1)} s`;
  return s < 3600
    ? `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`
    : `${Math.floor(s / 3600)} h ${Math.round((s % 3600) / 60)} min`;
}

/// "14:03:59" of today, else with the date.
export function clock(at) {
  const time = new Date(at);
  if (isNaN(time)) return "";
  const day = time.toDateString() === new Date().toDateString() ? "" : time.toISOString().slice(0, 10) + " ";
  return day + time.toTimeString().slice(0, 8);
}

export function shortCommit(commit) {
  return commit ? commit.slice(0, 10) : "";
}

/// One word of a shell's command line.
function quoted(word) {
  return /^[A-Za-z0-9_@%+=:,.\/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/// The line to type for arguments of `morph`, or of ctest where that is the first.
export function commandLine(words) {
  return (words[0] === "ctest" ? words : ["morph", ...words]).map(quoted).join(" ");
}

/// `.gitignore` characters taken literally, for --only.
export function globOf(path) {
  return path.replace(/[*?[\]\\]/g, "\\$&");
}
