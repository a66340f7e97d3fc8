// History: runs, unsteady tests, audits and measurements are those of the store.
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {goTo, noFaults, openPage, rowsOf, settled, text, until} from "./browser.mjs";

export const tests = {
  "runs, audits and measurements are those of the store, each with a chart": async world => {
    spawnSync("ctest", ["--test-dir", world.project.build]);
    world.project.json("record");
    const history = world.project.json("store", "history");
    assert.ok(history.runs.length > 1 && history.runs.some(run => run.source === "ctest"));
    const page = await openPage(world.context, world.studio.url);
    await goTo(page, "#/history");
    await settled(page, "Runs");
    assert.deepEqual(
      (await rowsOf(page)).map(row => [row[2], row[3]]),
      [...history.runs].reverse().map(run => [String(run.tests), String(run.failed)]),
    );
    const marks = await page.evaluate(() =>
      [...document.querySelectorAll(".chart > svg")].map(svg => svg.querySelectorAll(".mark").length),
    );
    assert.deepEqual(marks, [history.runs.length, history.runs.length]);
    await goTo(page, "#/history?of=measurements");
    await settled(page, "Measurements");
    assert.equal((await rowsOf(page)).length, world.project.json("store", "info").measurements.length);
    await goTo(page, "#/history?of=saved");
    if (history.audits.length === 0) {
      await until(page, "what to do", () => /No audit is stored yet/.test(document.querySelector("main").innerText));
      await page.click("main button:has-text('Compare the last run')");
      await page.click(".bar .main");
      await until(page, "the audit", () => /0 failures missed/.test(document.querySelector(".bar output").textContent));
    }
    await settled(page, "Time saved");
    const {audits} = world.project.json("store", "history");
    assert.deepEqual(
      (await rowsOf(page)).map(row => [row[2], row[3]]),
      audits.map(one => [String(one.tests), String(one.selected)]),
    );
    noFaults(page);
  },

  "tests whose verdict changed are listed, flaky ones first": async world => {
    const page = await openPage(world.context, world.studio.url);
    await until(page, "the overview", () => document.querySelector("main h1"));
    const rows = await page.evaluate(async () => {
      const {unsteadyTests} = await import("/app/history_views.js");
      const runs = ["ctest", "ctest", "ctest", "measure"].map((source, at) => ({source, at}));
      const test = (name, flaky, ...failed) => ({name, flaky, verdicts: failed.map((bad, run) => [run, bad, 0])});
      return unsteadyTests({
        runs,
        tests: [
          test("steady", false, 0, 0, 0, 1),
          test("mended", false, 1, 1, 0),
          test("odd", true, 0, 1, 0),
          test("often", false, 0, 1, 0),
        ],
      });
    });
    assert.deepEqual(
      rows.map(row => [row.name, row.failed, row.changes]),
      [
        ["odd", 1, 2],
        ["often", 1, 2],
        ["mended", 2, 1],
      ],
    );
    await goTo(page, "#/history?of=unsteady");
    await until(page, "no change", () => /The verdict of no test has changed/.test(document.querySelector("main").innerText));
    assert.equal(await text(page, ".bar code"), "morph store history");
    noFaults(page);
  },

  "two runs are compared: verdicts that differ first, then what took longer": async world => {
    const page = await openPage(world.context, world.studio.url);
    await until(page, "the overview", () => document.querySelector("main h1"));
    const rows = await page.evaluate(async () => {
      const {compareRuns} = await import("/app/run_comparison.js");
      const test = (name, ...verdicts) => ({name, verdicts});
      const tests = [
        test("same", [0, 0, 1], [1, 0, 1.5]),
        test("broken", [0, 0, 1], [1, 1, 1]),
        test("new", [1, 0, 3]),
        test("old", [2, 0, 3]),
      ];
      return compareRuns({tests}, 0, 1).map(row => [row.name, row.longer]);
    });
    assert.deepEqual(rows, [
      ["broken", 0],
      ["same", 0.5],
      ["new", null],
    ]);
    const history = world.project.json("store", "history");
    await goTo(page, "#/history");
    await settled(page, "Runs");
    await page.click(".rows .row");
    await settled(page, "Two runs");
    const last = history.runs.length - 1;
    const names = history.tests.filter(test => test.verdicts.some(([run]) => run === last)).map(test => test.name);
    const shown = (await rowsOf(page)).filter(row => row[2] !== "– not run").map(row => row[0]);
    assert.deepEqual(shown.sort(), names.sort());
    await page.click("button:text-is('All tests')");
    await settled(page, "Tests");
    noFaults(page);
  },
};
