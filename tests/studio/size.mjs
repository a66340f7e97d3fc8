// Large data. Times are printed and not asserted: they are of this machine, under this load.
import assert from "node:assert/strict";
import {readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {gzipSync} from "node:zlib";
import {noFaults, openPage, settled} from "./browser.mjs";
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

function openPlan(world, n) {
  return openPage(
    world.context,
    savedPage(
      world,
      {version: "0.1.0", repository: "large", documents: [{arguments: ["plan"], output: planOf(n)}]},
      `plan${n}.html`,
    ) + "#/plan",
  );
}

export const tests = {
  "10,000 tests come into view": async world => {
    const page = await openPlan(world, 10000);
    await settled(page, "Tests of the plan");
    noFaults(page);
    const [visible, drawn] = await page.evaluate(
      () =>
        new Promise(done => {
          const {morph} = window;
          const entry = morph.documents.peek(["plan"]);
          entry.value = JSON.parse(JSON.stringify(entry.value));
          const began = performance.now();
          morph.drawNow();
          requestAnimationFrame(() =>
            setTimeout(() => done([performance.now() - began, document.querySelectorAll(".rows .row").length])),
          );
        }),
    );
    assert.ok(drawn < 100, `${drawn} rows are drawn`);
    return `${Math.round(visible)} ms from the document to the frame`;
  },

  "100,000 tests are filtered at each key": async world => {
    const page = await openPlan(world, 100000);
    await settled(page, "Tests of the plan");
    const keys = [];
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
    for (const key of "needle") {
      await page.keyboard.type(key);
      await page.waitForTimeout(150);
    }
    keys.push(...(await page.evaluate(() => window.keyTimes)));
    const shown = await page.evaluate(() => window.morph.opened.table.shown.length);
    assert.equal(shown, 100);
    assert.equal(await page.evaluate(() => document.querySelectorAll(".rows .row").length < 100), true);
    noFaults(page);
    return `${keys.map(time => Math.round(time)).join(", ")} ms from key to frame`;
  },

  "the bundle is small": async ({pages}) => {
    const files = readdirSync(pages).filter(name => /\.(js|css|html)$/.test(name));
    const bytes = files
      .map(name => gzipSync(readFileSync(join(pages, name)), {level: 9}).length)
      .reduce((sum, n) => sum + n, 0);
    assert.ok(bytes <= 120 * 1024, `${bytes} bytes`);
    return `${(bytes / 1024).toFixed(1)} kB gzip in ${files.length} files`;
  },
};
