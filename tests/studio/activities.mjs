// Morphy's activities on the screen of specs, each by its control, and what it leaves compared with the command line.
import assert from "node:assert/strict";
import {existsSync, mkdirSync, rmSync} from "node:fs";
import {dirname, join} from "node:path";
import {noFaults, rowsOf, text, until} from "./browser.mjs";
import {act, openSpecs, studyOf} from "./study.mjs";

function linesOf(study, pool) {
  return study
    .morph("spec", "show", "--spec", "series", "--pool", pool, "--json")
    .trim()
    .split("\n")
    .map(line => JSON.parse(line));
}

async function seededSeries(world, name) {
  const pool = join(world.work, name);
  rmSync(pool, {force: true});
  const page = await openSpecs(world, "series", pool);
  await act(page, "Empty and seed");
  return {page, pool, study: await studyOf(world)};
}

async function casesOnScreen(page, n) {
  await until(page, `${n} cases`, count => window.morph.opened.table.shown.length === count, n);
}

export const tests = {
  "seed, type in, mutate, execute and check make the cases of the command line": async world => {
    const {page, pool, study} = await seededSeries(world, "made.jsonl");
    await casesOnScreen(page, 2);
    await page.click("[data-tick='seeds 0']"); // leaves the list that reads standard input
    await page.click("summary:text-is('Typed in')");
    await page.fill("label:has-text('Seed to type in') input", "[7,8,9]");
    await page.keyboard.press("Tab");
    await act(page, "Type in");
    await casesOnScreen(page, 3);
    assert.ok(linesOf(study, pool).some(line => JSON.stringify(line.in) === "[7,8,9]"));
    await page.click("[data-tick='datamorphisms 1']"); // reversed alone
    await act(page, "Mutate");
    await casesOnScreen(page, 6);
    await page.click("[data-tick='datamorphisms 1']");
    await act(page, "Mutate");
    await act(page, "Execute");
    await act(page, "Check");
    const lines = linesOf(study, pool);
    await casesOnScreen(page, lines.length);
    assert.ok(lines.every(line => line.runs.length > 0));
    assert.deepEqual(
      (await rowsOf(page)).map(row => row.at(-1)),
      lines.map(line => line.id),
    );
    noFaults(page);
  },

  "the pool is viewed by filters, sorted by metrics, marked by what is shown, and lessened": async world => {
    const {page, pool, study} = await seededSeries(world, "edited.jsonl");
    await act(page, "Mutate");
    const all = linesOf(study, pool).length;
    await casesOnScreen(page, all);
    await page.click("[role=columnheader] button:text-is('length')");
    const lengths = (await rowsOf(page)).map(row => Number(row[5]));
    assert.deepEqual(
      lengths,
      [...lengths].sort((a, b) => a - b),
    );
    await page.selectOption("label:has-text('Cases') select", "long");
    const long = lengths.filter(n => n > 2).length;
    await casesOnScreen(page, long);
    await page.click("button:text-is('Mark all shown')");
    await page.selectOption("label:has-text('Cases') select", "");
    await casesOnScreen(page, all);
    assert.match(await text(page, ".filters output"), new RegExp(`, ${long} marked`));
    await page.click("button:text-is('Unmark all shown')");
    await page.click(".rows .row:has-text('reversed')");
    await page.focus("[role=grid]");
    await page.keyboard.press("m");
    await act(page, "Delete marked");
    const left = linesOf(study, pool).length;
    assert.ok(left < all);
    await casesOnScreen(page, left);
    await page.click("[data-tick='set filters 0']");
    await act(page, "Filter");
    assert.ok(linesOf(study, pool).length < left);
    noFaults(page);
  },

  "measure and analyse show metrics, and what analysers say, of the ticked executer": async world => {
    const {page} = await seededSeries(world, "measured.jsonl");
    await act(page, "Mutate");
    await act(page, "Check");
    await act(page, "Measure", "^done.*: .*spread");
    await until(page, "the metrics", () => /spread/.test(document.querySelector(".result").innerText));
    await page.click("[data-tick='analysers 0']");
    await act(page, "Analyse");
    await until(page, "the analysis", () => /6 numbers|5 numbers/.test(document.querySelector(".result").innerText));
    await page.click("[data-tick='executers 1']");
    await page.click(".activities button:text-is('Measure')");
    assert.match(await text(page, ".bar code"), /--executer first$/);
    await act(page, "Check");
    noFaults(page);
  },

  "strategies run with their cost known before": async world => {
    const {page} = await seededSeries(world, "strategies.jsonl");
    await casesOnScreen(page, 2);
    await page.click("summary:text-is('Typed in')");
    await page.fill("label.field:has-text('Order') input", "3");
    await page.keyboard.press("Tab");
    await until(page, "the cost", () =>
      /first order at most 6 cases, order 3 at most/.test(document.querySelector(".typed").innerText),
    );
    await act(page, "First order", "^done.*checks pass");
    await page.click(".activities button:text-is('Higher order')");
    assert.match(await text(page, ".bar code"), /--order 3/);
    await act(page, "Combinations", "^done.*checks pass");
    await page.click("[data-tick='set metrics 0']");
    await act(page, "Breed");
    assert.match(await text(page, ".bar code"), /--towards spread/);
    noFaults(page);
  },

  "an exploration shows the borders of classes as points": async world => {
    const page = await openSpecs(world, "zones", join(world.work, "zones.jsonl"));
    await act(page, "Explore borders", "^done.*: \\d+ borders between 3 classes");
    await until(page, "the points", () => document.querySelectorAll(".result .chart .mark").length > 20);
    const kinds = await text(page, ".result .legend");
    for (const kind of ["centre", "north", "south"]) assert.ok(kinds.includes(kind), kinds);
    noFaults(page);
  },

  "a state is saved, cleared and loaded with its pool and scripts": async world => {
    const study = await studyOf(world);
    const pool = join(study.folder, ".morph/pools/kept.jsonl"),
      file = join(world.work, "kept.state");
    rmSync(file, {force: true});
    rmSync(pool, {force: true});
    mkdirSync(dirname(pool), {recursive: true});
    const page = await openSpecs(world, "series", pool, "&state=" + encodeURIComponent(file));
    await act(page, "Empty and seed");
    await act(page, "Save");
    assert.ok(existsSync(file));
    await act(page, "Clear");
    assert.ok(!existsSync(pool));
    await until(page, "no pool", () => /No pool yet/.test(document.querySelector("main").innerText));
    await act(page, "Load");
    assert.equal(linesOf(study, pool).length, 2);
    await casesOnScreen(page, 2);
    noFaults(page);
  },

  "the derivation of a case is a tree, and its input a plot or an image": async world => {
    const {page} = await seededSeries(world, "tree.jsonl");
    await act(page, "Mutate");
    await act(page, "Mutate");
    await act(page, "Check");
    await until(page, "a case of the second order", () => window.morph.opened.table.shown.length > 10);
    const id = await page.evaluate(() => {
      const {rows} = window.morph.opened.table;
      const seeds = new Set(rows.filter(row => row.from.length === 0).map(row => row.id));
      return rows.find(row => row.by === "joined" && row.from.some(one => !seeds.has(one))).id;
    });
    await page.fill("[data-search]", id);
    await page.click(".rows .row");
    await until(page, "the tree", () => document.querySelectorAll("aside .tree .tree .tree li").length > 0);
    assert.equal(await page.evaluate(() => document.querySelector("aside .tree b").textContent), "joined");
    assert.equal(await page.evaluate(() => document.querySelectorAll("aside .chart .trace").length), 1);
    await page.click("aside .tree .tree a");
    await until(page, "its origin", known => document.querySelector("aside h2").textContent !== known, id);
    noFaults(page);
    const other = await openSpecs(world, "pictures", join(world.work, "pictures.jsonl"));
    await act(other, "Empty and seed");
    await other.click(".rows .row:has-text('dot.pgm')");
    await until(other, "the image", () => document.querySelectorAll("aside .picture rect").length === 6);
    const shades = await other.evaluate(() =>
      [...document.querySelectorAll("aside .picture rect")].map(one => one.getAttribute("fill-opacity")),
    );
    assert.deepEqual(shades, ["0.000", "0.000", "0.000", "0.000", "1.000", "0.000"]);
    noFaults(other);
  },

  "the wizard shows and writes the spec of a function": async world => {
    const page = await openSpecs(world, "zones", join(world.work, "wizard.jsonl"));
    await page.click("summary:has-text('New spec')");
    await page.fill(".wizard label:has-text('Name') input", "zoned");
    await page.fill(".wizard label:has-text('Header') input", "zones.hpp");
    await page.fill(".wizard label:has-text('Function') input", "zone");
    await page.click("button:text-is('Show the new spec')");
    assert.equal(await text(page, ".bar code"), "morph spec new zoned --header zones.hpp --function zone --dry-run");
    await page.click(".bar .main");
    await until(page, "the end", () => /^done/.test(document.querySelector(".bar output").textContent), null, 60000);
    noFaults(page);
  },

  "the study of triangles by mouse alone: the wrong program is caught, the right one passes": async world => {
    const page = await openSpecs(world, "sorting_wrong", join(world.work, "triangles.jsonl"));
    await page.click("[data-tick='seeds']"); // none
    await page.click("fieldset:has-text('Seed makers') .tick:has-text('typical') input");
    await act(page, "Empty and seed");
    await act(page, "Mutate");
    await act(page, "Check");
    await casesOnScreen(page, 84);
    await until(page, "violations", () => /Violations: [1-9]/.test(document.querySelector(".messages").innerText));
    await page.click(".messages button.link");
    await until(page, "the derivation", () => document.querySelector("aside .tree .tree"));
    await page.click("fieldset:has-text('Analysers') .tick:has-text('cases by kind') input");
    await act(page, "Analyse");
    await until(page, "the kinds", () => /isosceles/.test(document.querySelector(".result").innerText));
    noFaults(page);
    const right = await openSpecs(world, "sorting", join(world.work, "triangles2.jsonl"));
    await right.click("[data-tick='seeds']");
    await right.click("fieldset:has-text('Seed makers') .tick:has-text('typical') input");
    await act(right, "Empty and seed");
    await act(right, "Mutate");
    await act(right, "Check");
    await casesOnScreen(right, 84);
    await until(right, "the verdicts", () => window.morph.opened.table.rows.every(row => row.pass > 0));
    assert.match(await text(right, ".messages"), /Violations: 0/);
    noFaults(right);
  },
};
