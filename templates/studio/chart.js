// One helper for all charts: drawings of SVG beside tables that hold the same figures. Colours are the style's --kind0 to --kind5.
import {drawn, h} from "./dom.js";

const chartWidth = 640,
  chartHeight = 300,
  chartTop = 30,
  chartBottom = 46,
  chartRight = 18,
  letter = 6.8; // about the width of a letter, in units of the drawing

/// Round numbers around two ends: steps of 1, 2 or 5 times a power of ten, about `most` of them; with whole, no fractions.
export function roundTicks(low, high, most = 5, whole = false) {
  const rough = Math.max((high - low) / most, whole ? 1 : 1e-300),
    power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(n => n * power).find(n => n >= rough * (1 - 1e-9));
  const first = Math.floor(low / step + 1e-9),
    last = Math.ceil(high / step - 1e-9);
  return Array.from({length: last - first + 1}, (none, i) => Number(((first + i) * step).toPrecision(12)));
}

const timeSteps = [1, 5, 15, 60, 300, 900, 3600, 10800, 21600, 43200, 86400, 172800, 604800, 2592000, 7776000, 31536000];

/// Ticks of seconds since 1970, with their texts: hours of a day, or days.
function timeTicks(low, high) {
  const step = timeSteps.find(one => (high - low) / one <= 5) || timeSteps[timeSteps.length - 1],
    shift = 60 * new Date(1000 * low).getTimezoneOffset();
  const ticks = [];
  for (let at = Math.ceil((low - shift) / step) * step + shift; at <= high; at += step) ticks.push(at);
  const two = n => String(n).padStart(2, "0");
  const text = at => {
    const date = new Date(1000 * at);
    if (step >= 86400) return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
    return `${two(date.getHours())}:${two(date.getMinutes())}${step < 60 ? ":" + two(date.getSeconds()) : ""}`;
  };
  return {ticks, text};
}

/// {title, text(value), zero: whether the axis begins at 0, whole, time: whether values are seconds since 1970} as a scale of values.
function scaleOf(axis, values) {
  let low = Math.min(...values),
    high = Math.max(...values);
  if (!isFinite(low)) [low, high] = [0, 1];
  if (axis.zero) [low, high] = [Math.min(0, low), Math.max(0, high)];
  const around = axis.zero || axis.whole ? [0, 1] : [Math.abs(low || 1) / 2, Math.abs(low || 1) / 2];
  if (low === high) [low, high] = [low - around[0], high + around[1]];
  if (axis.time) return {low, high, ...timeTicks(low, high)};
  const ticks = roundTicks(low, high, 5, axis.whole);
  return {low: ticks[0], high: ticks[ticks.length - 1], ticks, text: axis.text || String};
}

const shapes = [
  "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0",
  "M-4 -4h8v8h-8z",
  "M0 -5.5l5 9h-10z",
  "M0 -5.5l5 5.5l-5 5.5l-5 -5.5z",
  "M-1.5 -5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z",
  "M0 5.5l5 -9h-10z",
];

function kindOf(one) {
  return (one.kind || 0) % shapes.length;
}

/// A mark, or a button where it has `onclick`; `place` are attributes, `parts` what is drawn.
function markOf(one, place, parts) {
  const attributes = {class: "kind" + kindOf(one), ...place};
  if (one.onclick)
    Object.assign(attributes, {
      role: "button",
      tabindex: -1,
      "aria-pressed": one.chosen === undefined ? null : String(one.chosen),
      onclick: one.onclick,
    });
  return drawn("g", attributes, drawn("title", {}, one.label), parts);
}

/// The tab key comes to the chosen button of a drawing; arrows go on from there, Enter and space press.
function reachable(svg) {
  const buttons = [...svg.querySelectorAll("[role=button]")];
  if (buttons.length === 0) return svg;
  (buttons.find(one => one.getAttribute("aria-pressed") === "true") || buttons[0]).setAttribute("tabindex", 0);
  svg.addEventListener("keydown", event => {
    const at = buttons.indexOf(event.target);
    const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -at, End: buttons.length - 1 - at}[event.key];
    if (at < 0 || (step === undefined && event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    if (step === undefined) return void event.target.dispatchEvent(new MouseEvent("click"));
    const next = buttons[Math.min(buttons.length - 1, Math.max(0, at + step))];
    buttons.forEach(one => one.setAttribute("tabindex", one === next ? 0 : -1));
    next.focus();
  });
  return svg;
}

let charts = 0;

function figureOf({title, about, width = chartWidth, height = chartHeight}, parts, legend) {
  const id = "chart" + ++charts;
  const svg = drawn(
    "svg",
    {viewBox: `0 0 ${width} ${height}`, "aria-label": title, "aria-describedby": id},
    drawn("desc", {id}, about || title),
    parts,
  );
  svg.setAttribute("role", svg.querySelector("[role=button]") ? "group" : "img");
  return h("figure", {class: "chart"}, reachable(svg), legendOf(legend || []));
}

function legendOf(kinds) {
  if (kinds.length < 2) return null;
  const mark = i =>
    drawn("svg", {viewBox: "-7 -7 14 14", "aria-hidden": "true"}, drawn("path", {class: "mark", d: shapes[i % shapes.length]}));
  return h(
    "ul",
    {class: "legend"},
    kinds.map((name, i) => h("li", {}, h("span", {class: "kind" + (i % shapes.length)}, mark(i)), name)),
  );
}

const sizeOf = narrow => (narrow ? {width: 400, height: 240} : {width: chartWidth, height: chartHeight});

/// Axes with ticks; gives {parts, x(value), y(value)}.
function axesOf(xAxis, yAxis, points, {width, height}) {
  const valuesOf = name => points.map(one => one[name]);
  const xs = scaleOf(xAxis, valuesOf("x")),
    ys = scaleOf(yAxis, valuesOf("y"));
  const left = 16 + letter * Math.max(...ys.ticks.map(tick => ys.text(tick).length)),
    right = width - chartRight,
    bottom = height - chartBottom;
  const x = value => left + ((value - xs.low) / (xs.high - xs.low)) * (right - left),
    y = value => bottom - ((value - ys.low) / (ys.high - ys.low)) * (bottom - chartTop);
  const parts = [
    ys.ticks.map(tick => [
      drawn("path", {class: "across", d: `M${left} ${y(tick)}H${right}`}),
      drawn("text", {x: left - 6, y: y(tick) + 4, "text-anchor": "end"}, ys.text(tick)),
    ]),
    drawn("path", {class: "axis", d: `M${left} ${chartTop}V${bottom}H${right}`}),
    xs.ticks.map(tick => {
      const anchor = right - x(tick) < 30 ? "end" : "middle";
      return [
        drawn("path", {class: "axis", d: `M${x(tick)} ${bottom}v4`}),
        drawn("text", {x: anchor === "end" ? right + 8 : x(tick), y: bottom + 17, "text-anchor": anchor}, xs.text(tick)),
      ];
    }),
    drawn("text", {x: 4, y: 14}, yAxis.title),
    drawn("text", {x: right, y: height - 8, "text-anchor": "end"}, xAxis.title),
  ];
  return {parts, x, y};
}

function pointMark(one, x, y) {
  const around = one.onclick && drawn("circle", {class: "around", r: 10});
  return markOf(one, {transform: `translate(${x} ${y})`}, [around, drawn("path", {class: "mark", d: shapes[kindOf(one)]})]);
}

/// Points {x, y, label, kind, chosen, onclick}; step: a line that goes up at each, as along a front; others: points beside the line;
/// kinds: names of the kinds;
/// narrow: for a holder of half the width.
export function scatterChart({title, about, x, y, points, step = false, others = [], kinds, narrow = false}) {
  const size = sizeOf(narrow),
    axes = axesOf(x, y, [...points, ...others], size);
  const line = points.map((one, i) => (i === 0 ? `M${axes.x(one.x)} ${axes.y(one.y)}` : `H${axes.x(one.x)}V${axes.y(one.y)}`));
  return figureOf(
    {title, about, ...size},
    [
      axes.parts,
      step && points.length > 1 && drawn("g", {class: "kind0"}, drawn("path", {class: "trace", d: line.join("")})),
      [...others, ...points].map(one => pointMark(one, axes.x(one.x), axes.y(one.y))),
    ],
    kinds,
  );
}

/// Marks another point of a scatter chart as the chosen one; the focus stays where it is.
export function choosePoint(chart, chosen) {
  chart.querySelectorAll("[role=button]").forEach((one, i) => {
    one.setAttribute("aria-pressed", String(i === chosen));
    one.setAttribute("tabindex", i === chosen ? 0 : -1);
  });
}

/// Series {name, points: [{x, y, label}]}, each a line through its points.
export function lineChart({title, about, x, y, series, narrow = false}) {
  const size = sizeOf(narrow),
    axes = axesOf(
      x,
      y,
      series.flatMap(one => one.points),
      size,
    );
  return figureOf(
    {title, about, ...size},
    [
      axes.parts,
      series.map((one, kind) => {
        const places = one.points.map(point => `${axes.x(point.x)} ${axes.y(point.y)}`);
        return [
          drawn("g", {class: "kind" + (kind % shapes.length)}, drawn("path", {class: "trace", d: "M" + places.join("L")})),
          one.points.map(point => pointMark({...point, kind}, axes.x(point.x), axes.y(point.y))),
        ];
      }),
    ],
    series.map(one => one.name),
  );
}

/// Bars {label, value, text, kind, onclick} from the left, one below the other.
export function barChart({title, about, bars}) {
  const most = Math.max(...bars.map(bar => bar.value), 0) || 1,
    longest = 34,
    row = 24;
  const short = label => (label.length > longest ? label.slice(0, longest - 1) + "…" : label),
    texts = Math.max(...bars.map(bar => bar.text.length), 0) * letter;
  const left = 12 + letter * Math.max(...bars.map(bar => short(bar.label).length), 0),
    room = chartWidth - left - texts - 16;
  const parts = bars.map((bar, i) => {
    const length = Math.max(1, (room * bar.value) / most);
    return markOf({...bar, label: `${bar.label}: ${bar.text}`}, {transform: `translate(0 ${i * row})`}, [
      drawn("rect", {class: "around", x: 1, y: 1, width: chartWidth - 2, height: row - 2, rx: 3}),
      drawn("text", {x: left - 6, y: 16, "text-anchor": "end", "aria-hidden": "true"}, short(bar.label)),
      drawn("rect", {class: "mark", x: left, y: 5, width: length, height: row - 10}),
      drawn("text", {x: left + length + 6, y: 16, "aria-hidden": "true"}, bar.text),
    ]);
  });
  return figureOf({title, about, height: Math.max(row, bars.length * row)}, parts);
}

/// Rows of numbers as rectangles, from the ground's colour at the least to the text's at the greatest: an image, or a map of figures.
export function heatMap({title, about, rows, label = (value, row, column) => `${row + 1}, ${column + 1}: ${value}`}) {
  const values = rows.flat(),
    low = Math.min(...values),
    span = Math.max(...values) - low || 1,
    columns = Math.max(...rows.map(row => row.length)),
    side = Math.min(40, chartWidth / columns);
  const cell = (value, row, column) =>
    drawn(
      "rect",
      {
        class: "mark kind0",
        x: column * side,
        y: row * side,
        width: side,
        height: side,
        "fill-opacity": ((value - low) / span).toFixed(3),
      },
      drawn("title", {}, label(value, row, column)),
    );
  const cells = rows.map((row, i) => row.map((value, j) => cell(value, i, j)));
  return figureOf({title, about, height: rows.length * side}, cells);
}
