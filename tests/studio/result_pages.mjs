// Pages of one result, as commands write them: each has its screens alone, and shows what the command prints.
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {existsSync, rmSync} from "node:fs";
import {join} from "node:path";
import {pathToFileURL} from "node:url";
import {goTo, noFaults, openPage, rowsOf, settled, text, until} from "./browser.mjs";
import {dataIn, savedPage} from "./saved.mjs";

function run({morph, project}, ...words) {
  const ended = spawnSync(morph, words, {cwd: project.folder, encoding: "utf8", maxBuffer: 1 << 28});
  assert.ok([0, 1].includes(ended.status), `${words.join(" ")}: ${ended.status}\n${ended.stdout}\n${ended.stderr}`);
  return ended.stdout;
}

/// The page that these words write into FILE, opened; names of its screens; nothing wider than a narrow window.
async function pageOf(world, name, words) {
  const file = join(world.work, name);
  rmSync(file, {force: true});
  run(world, ...words.map(word => (word === "FILE" ? file : word)));
  assert.ok(existsSync(file), words.join(" "));
  return openFile(world, pathToFileURL(file).href);
}

async function openFile(world, url) {
  const page = await openPage(world.context, url);
  await until(page, "the screen", () => document.querySelector("main h1") && !document.querySelector("[aria-busy]"));
  await page.setViewportSize({width: 640, height: 800});
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 640);
  await page.setViewportSize({width: 1280, height: 800});
  await page.evaluate(world.axe);
  const {violations} = await page.evaluate(() => window.axe.run());
  assert.deepEqual(
    violations.map(one => one.id),
    [],
  );
  return page;
}

const linksOf = page => page.evaluate(() => [...document.querySelectorAll("nav a")].map(link => link.textContent));

export const tests = {
  "mutants: the last result, with sources and what explains survivors": async world => {
    const {build, json} = world.project;
    const page = await pageOf(world, "mutants.html", ["report", "mutation", "--build", build, "--format", "html", "-o", "FILE"]);
    const result = json("report", "mutation");
    assert.deepEqual(await linksOf(page), ["Mutants", "Tests"]);
    await settled(page, "Mutants");
    assert.equal((await rowsOf(page)).length, result.mutants.length);
    await goTo(page, `#/mutants?state=survived`);
    await until(page, "survivors", n => window.morph.opened.table.shown.length === n, result.states.survived);
    await page.click('[role=grid][aria-label="Mutants"] .rows .row');
    await until(page, "its details", () => document.querySelector("aside details"));
    assert.match(await text(page, "aside"), /Why it survived/);
    await page.click("aside summary");
    assert.match(await text(page, "aside details pre"), /▶ +\d+ {2}/);
    assert.equal(await page.evaluate(() => document.querySelectorAll('aside a[href^="#/coverage"]').length), 0);
    await goTo(page, "#/tests");
    await settled(page, "Tests");
    noFaults(page);
  },

  "front: time against coverage, as a chart and a table": async world => {
    const {build, json} = world.project;
    const page = await pageOf(world, "front.html", ["plan", "--build", build, "--pareto", "--picture", "FILE"]);
    assert.deepEqual(await linksOf(page), ["Optimizer"]);
    const front = json("plan", "--pareto");
    assert.deepEqual(dataIn(join(world.work, "front.html")).documents[0].output, front);
    await settled(page, "Sets of tests");
    const tests = (await rowsOf(page)).map(row => row[1]);
    for (const row of front.rows) assert.ok(tests.includes(String(row.tests)), String(row.tests));
    assert.ok((await page.evaluate(() => document.querySelectorAll(".chart .mark").length)) >= front.rows.length);
    noFaults(page);
  },

  "analysis: tables of a pool, with bars": async world => {
    const pool = join(world.work, "analysed.jsonl"),
      of = ["--build", world.project.build, "--spec", "prices", "--pool", pool];
    rmSync(pool, {force: true});
    run(world, "spec", "seed", ...of);
    run(world, "spec", "mutate", ...of);
    run(world, "spec", "check", ...of);
    const page = await pageOf(world, "analysis.html", ["spec", "analyse", ...of, "--format", "html", "--out", "FILE"]);
    const {analyses} = JSON.parse(run(world, "spec", "analyse", ...of, "--json"));
    assert.deepEqual(await linksOf(page), ["Analysis"]);
    assert.deepEqual(
      await page.evaluate(() => [...document.querySelectorAll(".result h2")].map(one => one.textContent)),
      analyses.map(one => one.title),
    );
    const shown = await text(page, ".result table");
    for (const {rows} of analyses) for (const row of rows) assert.ok(shown.includes(String(row[0])), String(row[0]));
    assert.match(await text(page, ".bar code"), /^morph spec analyse --spec prices --executer /);
    noFaults(page);
  },

  "adaptive run: the profile, partitions and relations": async world => {
    const words = ["spec", "run", "--build", world.project.build, "--spec", "prices", "--adaptive=random"];
    const page = await pageOf(world, "adaptive.html", [...words, "--plot", "FILE"]);
    assert.deepEqual(await linksOf(page), ["Adaptive run"]);
    assert.match(await text(page, ".result .figures"), /\d+ steps/);
    assert.match(await text(page, ".result"), /one more costs its price/);
    noFaults(page);
  },

  "exploration: a map of classes and borders, whose names stay text": async world => {
    const name = "</script><b>odd</b>";
    const found = {
      spec: name,
      strategy: "random-target",
      mid: "mid",
      executer: "run",
      seed: 1,
      searches: 3,
      runs: {cases: 4, steps: 0, midpoints: 20, to_confirm: 2},
      classes: [
        {class: 0, output: name, cases: 2, inputs: 9},
        {class: 1, output: '"other"', cases: 2, inputs: 13},
      ],
      borders: [{a: {in: [1, 2], class: 0}, b: {in: [1.5, 2], class: 1}, width: 0.5, ended_by: "within"}],
      map: {
        axes: ["", name],
        cases: [
          [0, 0, 0],
          [2, 1, 1],
          [2, 2, null],
        ],
        borders: [[1.25, 2]],
      },
    };
    const documents = [{arguments: ["spec", "explore", "--spec", name], output: JSON.stringify(found)}];
    const page = await openFile(world, savedPage(world, {screens: ["exploration"], documents}, "exploration.html"));
    assert.deepEqual(await linksOf(page), ["Exploration"]);
    assert.equal(await page.evaluate(() => document.querySelectorAll(".chart svg[role=img] .mark").length), 4);
    assert.match(await text(page, ".legend"), /odd[^]*other[^]*border/);
    assert.ok((await text(page, ".result table")).includes(name));
    assert.equal(await page.evaluate(() => document.querySelectorAll("main b b, main i").length), 0);
    noFaults(page);
  },
};
