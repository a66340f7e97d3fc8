// Tests of studio's pages in a real browser: node run.mjs --morph PROGRAM --work FOLDER [--modules FOLDER] [--only TEXT]
// [--reuse] [--live]
// PROGRAM is installed: projects find Morph in its prefix. --live: pages as they lie in templates, without a build of the program.
// Exit code 0: all passed, 1: not, 2: usage, 77: skipped.
import {existsSync, mkdirSync} from "node:fs";
import {dirname, resolve} from "node:path";
import {fileURLToPath} from "node:url";
import {openBrowser} from "./browser.mjs";
import {makeProject} from "./project.mjs";
import {endStudy} from "./study.mjs";
import {startStudio} from "./studio.mjs";

const groups = [
  "screens",
  "charts",
  "relations",
  "optimizer",
  "scripts",
  "history",
  "activities",
  "filters",
  "keyboard",
  "access",
  "hostile",
  "runs",
  "connection",
  "attack",
  "saved",
  "result_pages",
  "size",
];

function option(name) {
  const at = process.argv.indexOf("--" + name);
  return at < 0 ? "" : process.argv[at + 1] || "";
}

const morph = resolve(option("morph")),
  work = resolve(option("work"));
if (option("morph") === "" || option("work") === "") {
  console.error("usage: run.mjs --morph PROGRAM --work FOLDER [--modules FOLDER] [--only TEXT] [--reuse] [--live]");
  process.exit(2);
}
function skip(why) {
  console.log("not run: " + why);
  process.exit(77);
}

if (!existsSync(morph)) skip(`there is no '${morph}'`);
const modules = option("modules") || process.env.MORPH_NODE_MODULES || "";
const only = option("only");
const opened = await openBrowser(modules);
if (opened.missing) skip(opened.missing);
mkdirSync(work, {recursive: true});
const began = Date.now();
const pages = resolve(dirname(fileURLToPath(import.meta.url)), "../../templates/studio");
const longName = "project_".padEnd(90, "of_a_long_name_");
const project = makeProject(morph, resolve(work, longName), process.argv.includes("--reuse"));
console.log(`the project is built, measured and mutated (${((Date.now() - began) / 1000).toFixed(1)} s)`);
const studio = await startStudio(morph, project.build);
const world = {...opened, morph, work, pages, project, studio, reuse: process.argv.includes("--reuse")};
let failed = 0,
  passed = 0;
try {
  for (const group of groups) {
    const {tests} = await import(`./${group}.mjs`);
    for (const [name, test] of Object.entries(tests)) {
      const title = `${group}: ${name}`;
      if (!title.includes(only)) continue;
      const context = await opened.browser.newContext({viewport: {width: 1280, height: 800}});
      if (process.argv.includes("--live"))
        await context.route("**/app/*", route =>
          route.fulfill({path: resolve(pages, new URL(route.request().url()).pathname.slice(5))}),
        );
      const start = Date.now();
      try {
        const note = await test({...world, context});
        ++passed;
        console.log(`ok   ${title} (${Date.now() - start} ms)${note ? ": " + note : ""}`);
      } catch (error) {
        ++failed;
        console.log(
          `FAIL ${title}\n     ${String(error.stack || error)
            .split("\n")
            .slice(0, 60)
            .join("\n     ")}`,
        );
      } finally {
        await context.close();
      }
    }
  }
} finally {
  await opened.browser.close();
  await studio.stop();
  await endStudy();
}
console.log(`${passed} passed, ${failed} failed, ${((Date.now() - began) / 1000).toFixed(1)} s`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
