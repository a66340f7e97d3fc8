// Specs: the input of a case for the eye: vectors of numbers as a plot, tables of numbers and image files as a map.
import {heatMap, lineChart} from "./chart.js";
import {h} from "./dom.js";
import {counted} from "./format.js";

const mostPoints = 2000,
  mostSide = 64,
  mostDepth = 4;

const isNumbers = value => Array.isArray(value) && value.length > 1 && value.every(one => typeof one === "number");
const isTable = value =>
  Array.isArray(value) && value.length > 1 && value.every(row => isNumbers(row) && row.length === value[0].length);
const isImageFile = value => typeof value === "string" && /\.(pgm|ppm|pnm)$/i.test(value);

/// What of a value can be drawn: [{path, kind, value}...], the path as "target" or "points.0".
export function drawable(value, path = "", depth = 0) {
  if (isNumbers(value)) return [{path, kind: "vector", value}];
  if (isTable(value)) return [{path, kind: "table", value}];
  if (isImageFile(value)) return [{path, kind: "image", value}];
  if (value === null || typeof value !== "object" || depth === mostDepth) return [];
  return Object.entries(value).flatMap(([name, one]) => drawable(one, path ? `${path}.${name}` : name, depth + 1));
}

/// Greys of the bytes of a PGM or PPM file, rows of numbers; an error says why not.
export function readImage(bytes) {
  let at = 0;
  const word = () => {
    for (;;) {
      while (at < bytes.length && bytes[at] <= 32) ++at;
      if (bytes[at] !== 35) break;
      while (at < bytes.length && bytes[at] !== 10) ++at;
    }
    let text = "";
    while (at < bytes.length && bytes[at] > 32) text += String.fromCharCode(bytes[at++]);
    return text;
  };
  const magic = word(),
    [width, height, most] = [Number(word()), Number(word()), Number(word())];
  const colours = {P2: 1, P5: 1, P3: 3, P6: 3}[magic];
  if (!colours || !(width > 0 && height > 0 && most > 0 && most < 256)) throw new Error("not a PGM or PPM image of 8 bits");
  const isText = magic === "P2" || magic === "P3";
  ++at;
  if (!isText && at + width * height * colours > bytes.length) throw new Error("the image is cut off");
  const rows = [];
  for (let y = 0; y < height; ++y) {
    const row = [];
    for (let x = 0; x < width; ++x) {
      let sum = 0;
      for (let c = 0; c < colours; ++c) sum += isText ? Number(word()) : bytes[at++];
      row.push(sum / colours);
    }
    rows.push(row);
  }
  return rows;
}

/// Fewer rows and columns of a large table: each the first of those that it stands for.
function thinned(rows) {
  const step = Math.ceil(Math.max(rows.length, rows[0].length) / mostSide);
  return step === 1 ? rows : rows.filter((row, i) => i % step === 0).map(row => row.filter((value, i) => i % step === 0));
}

function tablePicture(title, rows) {
  return h(
    "div",
    {class: "picture"},
    heatMap({title, about: `${rows.length} rows of ${counted(rows[0].length, "number")}`, rows: thinned(rows)}),
  );
}

function imagePicture(app, title, path) {
  const holder = h("div", {class: "picture"}, h("p", {class: "quiet"}, "reading the image"));
  const show = node => holder.replaceChildren(node);
  app.source
    .bytes(path)
    .then(bytes => show(tablePicture(title, readImage(bytes))))
    .catch(error => show(h("p", {class: "quiet"}, `${path}: ${error.message}`)));
  return holder;
}

function vectorPicture(title, values) {
  const points = values.slice(0, mostPoints).map((y, x) => ({x, y, label: `${x}: ${y}`}));
  return lineChart({
    title,
    about: counted(values.length, "number"),
    narrow: true,
    x: {title: "position", whole: true},
    y: {title: "value"},
    series: [{name: title, points}],
  });
}

/// Elements for all that can be drawn of the input of a case.
export function picturesOf(app, input) {
  return drawable(input).map(({path, kind, value}) => {
    const title = `input${path ? " " + path : ""}`;
    const picture =
      kind === "vector"
        ? vectorPicture(title, value)
        : kind === "table"
          ? tablePicture(title, value)
          : imagePicture(app, title, value);
    return [h("h3", {}, title), picture];
  });
}
