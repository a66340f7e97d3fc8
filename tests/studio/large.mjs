// Large data: pages of many tests, and how long they take. `benchmarks/studio.mjs` uses these, too.
import {readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {gzipSync} from "node:zlib";
import {openPage, settled, until} from "./browser.mjs";
import {savedPage} from "./saved.mjs";

const reasons = [["unaffected"], ["changed-code:area(int, int)"], ["changed-data:shapes.json", "failed-recently"], ["new"]];

/// A plan of n tests; every 1,000th is called "needle".
function planOf(n) {
  const tests = Array.from({length: n}, (none, i) => {
    const selected = i % 4 !== 0;
    return {
      suite: "suite" + (i % 7),
      name: `Group${i % 311}.${i % 1000 === 0 ? "needle" : "Case"}${i}`,
      case: "",
      selected,
      decision: selected ? "selected" : "deselected",
      rank: selected ? i : null,
      reasons: reasons[i % 4],
      marks: [],
      seconds: (i % 9973) / 1000,
    };
  });
  return {
    schema: "morph.plan/1",
    state: "affected",
    base: {commit: "", distance: null},
    suites: [],
    tests,
    notes: [],
    totals: {selected: (n * 3) / 4, total: n, selected_seconds: 1, total_seconds: 2},
  };
}

/// A page with a plan of n tests, and no server.
export async function openPlan(world, n) {
  const data = {version: "0.1.0", repository: "large", documents: [{arguments: ["plan"], output: planOf(n)}]};
  const page = await openPage(world.context, savedPage(world, data, `plan${n}.html`) + "#/plan");
  await settled(page, "Tests of the plan", 120000);
  return page;
}

/// {ms, rows}: from the document of the plan to the frame that shows it, and the rows that are drawn.
export function timeOfDocument(page) {
  return page.evaluate(
    () =>
      new Promise(done => {
        const {morph} = window;
        const entry = morph.documents.peek(["plan"]);
        entry.value = JSON.parse(JSON.stringify(entry.value));
        const began = performance.now();
        morph.drawNow();
        requestAnimationFrame(() =>
          setTimeout(() => done({ms: performance.now() - began, rows: document.querySelectorAll(".rows .row").length})),
        );
      }),
  );
}

/// Milliseconds from each key of a text, typed into the search, to the frame that shows what is left.
export async function timesOfKeys(page, text) {
  await page.focus("[data-search]");
  await page.evaluate(() => {
    window.keyTimes = [];
    document.querySelector("[data-search]").addEventListener(
      "input",
      () => {
        const began = performance.now();
        requestAnimationFrame(() => setTimeout(() => window.keyTimes.push(performance.now() - began)));
      },
      {capture: true},
    );
  });
  for (const key of text) {
    await page.keyboard.type(key);
    await page.waitForTimeout(150);
  }
  return page.evaluate(() => window.keyTimes);
}

/// {draws, kept, ms}: n messages of one run in pieces of 250, a piece each `pause` ms.
export async function drawsOfEvents(page, n, pause) {
  await until(page, "the overview", () => !document.querySelector("[aria-busy]"));
  return page.evaluate(
    async ([n, pause]) => {
      const {morph} = window;
      const drawNow = morph.drawNow.bind(morph);
      let draws = 0;
      morph.drawNow = () => {
        ++draws;
        drawNow();
      };
      const began = performance.now();
      morph.event(0, {
        type: "run-started",
        run: {id: 9999, line: "morph mutate", arguments: ["mutate"], state: "running", started: new Date().toISOString()},
      });
      for (let i = 0; i < n; ++i) {
        morph.event(0, {type: "message", id: 9999, text: "line " + i});
        if (i % 250 === 0) await new Promise(done => setTimeout(done, pause));
      }
      await new Promise(done => setTimeout(done, 300));
      morph.drawNow = drawNow;
      return {draws, kept: morph.runs.all.get(9999).messages.length, ms: performance.now() - began};
    },
    [n, pause],
  );
}

/// Of all that a page loads, compressed file by file.
export function bundle(pages) {
  const files = readdirSync(pages).filter(name => /\.(js|css|html)$/.test(name));
  const sizes = files.map(name => gzipSync(readFileSync(join(pages, name)), {level: 9}).length);
  return {files: files.length, bytes: sizes.reduce((sum, n) => sum + n, 0)};
}
