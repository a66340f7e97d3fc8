// What studio's pages cost, as JSON: node studio.mjs --morph PROGRAM --work FOLDER --modules FOLDER [--runs N]
import {mkdirSync} from "node:fs";
import {dirname, resolve} from "node:path";
import {fileURLToPath} from "node:url";
import {openBrowser, openPage} from "../tests/studio/browser.mjs";
import {bundle, drawsOfEvents, openPlan, timeOfDocument, timesOfKeys} from "../tests/studio/large.mjs";
import {makeProject} from "../tests/studio/project.mjs";
import {startStudio} from "../tests/studio/studio.mjs";

const option = (name, other = "") => {
  const at = process.argv.indexOf("--" + name);
  return at < 0 ? other : process.argv[at + 1];
};
const median = times => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)];
const round = ms => Math.round(10 * ms) / 10;

const morph = resolve(option("morph")),
  work = resolve(option("work")),
  runs = Number(option("runs", "9"));
const opened = await openBrowser(option("modules"));
if (opened.missing) {
  console.error("not run: " + opened.missing);
  process.exit(3);
}
mkdirSync(work, {recursive: true});
const pages = resolve(dirname(fileURLToPath(import.meta.url)), "../templates/studio");
const project = makeProject(morph, resolve(work, "project"), true);

const ready = [];
for (let i = 0; i < runs; ++i) {
  const began = performance.now();
  const studio = await startStudio(morph, project.build);
  ready.push(performance.now() - began);
  await studio.stop();
}

const studio = await startStudio(morph, project.build);
const world = {...opened, morph, work, pages, project, studio};
const inContext = async measure => {
  const context = await opened.browser.newContext({viewport: {width: 1280, height: 800}});
  const found = await measure({...world, context});
  await context.close();
  return found;
};
const documents = [],
  keys = [],
  events = [];
for (let i = 0; i < runs; ++i) {
  documents.push((await inContext(async each => timeOfDocument(await openPlan(each, 10000)))).ms);
  events.push(await inContext(async each => drawsOfEvents(await openPage(each.context, studio.url), 5000, 50)));
}
for (let i = 0; i < Math.min(runs, 3); ++i)
  keys.push(...(await inContext(async each => timesOfKeys(await openPlan(each, 100000), "needle"))));
await opened.browser.close();
await studio.stop();
console.log(
  JSON.stringify({
    ready_ms: round(median(ready)),
    document_of_10000_ms: round(median(documents)),
    key_of_100000_ms: round(median(keys)),
    slowest_key_ms: round(Math.max(...keys)),
    events_kept: Math.min(...events.map(each => each.kept)),
    draws_per_s: round(median(events.map(each => (1000 * each.draws) / each.ms))),
    bundle_kb: round(bundle(pages).bytes / 1024),
  }),
);
