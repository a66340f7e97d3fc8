// Each screen shows what the command line gives.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {join} from "node:path";
import {drawnRows, goTo, noFaults, openPage, rowsOf, settled, text, until} from "./browser.mjs";

export const screens = [
  "overview",
  "plan",
  "tests",
  "coverage",
  "mutants",
  "relations",
  "specs",
  "optimizer",
  "scripts",
  "history",
  "activity",
];

async function at({context, studio}, address, table) {
  const page = await openPage(context, studio.url);
  await goTo(page, address);
  if (table) await settled(page, table);
  return page;
}

export const tests = {
  "overview has the figures of plan, coverage, mutation, specs and store": async world => {
    const {json} = world.project;
    const plan = json("plan"),
      coverage = json("report", "coverage"),
      mutation = json("report", "mutation"),
      specs = json("spec", "list");
    const page = await at(world, "#/overview");
    await until(
      page,
      "six cards with data",
      () => document.querySelectorAll(".cards section").length === 6 && !document.querySelector("[aria-busy]"),
    );
    const shown = await text(page, ".cards");
    assert.ok(shown.includes(`${plan.totals.selected} of ${plan.totals.total}`), shown);
    assert.ok(shown.includes(plan.state), shown);
    assert.ok(shown.includes(`${coverage.totals.lines.hit} of ${coverage.totals.lines.total}`), shown);
    assert.ok(shown.includes(`${(Math.floor(1000 * mutation.score) / 10).toFixed(1)} %`), shown);
    assert.match(shown, new RegExp(`${mutation.states.survived}\\s+survived`));
    assert.ok(shown.includes(specs.specs[0].name), shown);
    assert.match(shown, new RegExp(`${json("store", "info").measurements.length}\\s+measurement`));
    noFaults(page);
  },

  "plan has each test in the plan's order, with its reasons": async world => {
    const plan = world.project.json("plan");
    const page = await at(world, "#/plan", "Tests of the plan");
    const rows = await rowsOf(page);
    const selected = plan.tests.filter(test => test.selected).sort((a, b) => a.rank - b.rank);
    assert.equal(rows.length, plan.tests.length);
    assert.deepEqual(
      rows.slice(0, selected.length).map(row => [row[0], row[2], row[5]]),
      selected.map(test => [String(test.rank), test.name, test.reasons.join(", ")]),
    );
    assert.deepEqual(
      rows.slice(selected.length).map(row => row[1]),
      plan.tests.filter(test => !test.selected).map(test => test.decision),
    );
    const drawn = await drawnRows(page, "Tests of the plan");
    assert.equal(drawn[0][2], selected[0].name);
    noFaults(page);
  },

  "a row of the plan opens the reasons of morph plan --why": async world => {
    const why = world.project.json("plan", "--why", "fails");
    const page = await at(world, "#/plan", "Tests of the plan");
    await page.click(".rows .row:has-text('fails')");
    await until(page, "the reasons", () => document.querySelector("aside dl"));
    const shown = await text(page, "aside");
    for (const {reason, because} of why.tests[0].reasons) {
      assert.ok(shown.includes(reason), shown);
      assert.ok(shown.includes(because), shown);
    }
    assert.equal(await text(page, ".bar code"), "morph plan --why fails");
    noFaults(page);
  },

  "tests have lines of the coverage and kills of the mutation": async world => {
    const mutation = world.project.json("report", "mutation");
    const page = await at(world, "#/tests", "Tests");
    await until(page, "coverage and mutation", () => document.querySelector(".screen p.quiet[hidden]"));
    const rows = new Map((await rowsOf(page)).map(row => [row[0], row]));
    for (const test of mutation.by_test.filter(one => !one.left_out))
      assert.equal(rows.get(test.name)[6], String(test.kills), test.name);
    for (const name of ["members get a discount", "discounts are looked at by no assertion"]) {
      const [test] = world.project.json("report", "coverage", "--per-test", name).tests;
      assert.equal(rows.get(name)[4], String(test.files.reduce((sum, file) => sum + file.lines.length, 0)), name);
    }
    assert.equal(rows.get("fails")[2], "✗ failed");
    noFaults(page);
  },

  "a test's details have its files, lines and kills": async world => {
    const page = await at(world, "#/tests?suite=shop&test=members+get+a+discount", "Tests");
    await until(page, "its files", () => /shop\.cpp \d+ lines/.test(document.querySelector("aside").innerText));
    const [test] = world.project.json("report", "coverage", "--per-test", "members get a discount").tests;
    const lines = test.files.find(file => file.path === "shop.cpp").lines.length;
    assert.ok((await text(page, "aside")).includes(`shop.cpp ${lines} lines`), await text(page, "aside"));
    noFaults(page);
  },

  "coverage has the tests of a line": async world => {
    const page = await at(world, "#/coverage?file=shop.cpp", "Source");
    for (const line of [4, 6, 19]) {
      const answer = world.project.json("report", "coverage", "--line", `shop.cpp:${line}`);
      await goTo(page, `#/coverage?file=shop.cpp&line=${line}`);
      await until(
        page,
        `line ${line}`,
        number => document.querySelector("aside h2").textContent === `shop.cpp:${number}`,
        line,
      );
      const names = await page.evaluate(() => {
        const list = document.querySelector("aside ul");
        return list ? [...list.querySelectorAll("li")].map(item => item.querySelector("a").innerText) : [];
      });
      assert.deepEqual(
        names,
        answer.tests.map(test => test.name),
        `line ${line}`,
      );
      if (answer.state === "not-run") assert.match(await text(page, "aside"), /No test executes it/);
    }
    noFaults(page);
  },

  "coverage marks the lines of a test": async world => {
    const name = "discounts are looked at by no assertion";
    const [test] = world.project.json("report", "coverage", "--per-test", name).tests;
    const page = await at(world, `#/coverage?file=shop.cpp&suite=shop&test=${encodeURIComponent(name)}`, "Source");
    const marked = (await drawnRows(page, "Source")).filter(row => row[3].startsWith("▸")).map(row => Number(row[0]));
    assert.deepEqual(marked, test.files.find(file => file.path === "shop.cpp").lines);
    noFaults(page);
  },

  "mutants have survivors first, and functions by survivors": async world => {
    const mutation = world.project.json("report", "mutation");
    const page = await at(world, "#/mutants", "Mutants");
    const rows = await rowsOf(page);
    assert.equal(rows.length, mutation.mutants.length);
    assert.deepEqual(
      rows.slice(0, mutation.states.survived).map(row => row[0]),
      Array(mutation.states.survived).fill("survived"),
    );
    assert.notEqual(rows[mutation.states.survived][0], "survived");
    const functions = (await drawnRows(page, "Functions")).map(row => parseInt(row[1]));
    assert.deepEqual(
      functions,
      [...functions].sort((a, b) => b - a),
    );
    assert.equal(
      functions.reduce((sum, n) => sum + n, 0),
      mutation.states.survived,
    );
    noFaults(page);
  },

  "a survivor has its change, its explanation and the line that judges it again": async world => {
    const {mutants} = world.project.json("explain", "--stage", "suggestion", "--most", "50");
    const known = mutants.find(one => one.suggestion.assertions.length > 0) || mutants[0];
    const page = await at(world, `#/mutants?mutant=${encodeURIComponent(known.id)}`, "Mutants");
    await until(page, "the explanation", () => document.querySelector("aside .advice"));
    const shown = await text(page, "aside");
    assert.ok(shown.includes("- " + known.change.before.trim()), shown);
    assert.ok(shown.includes("+ " + known.change.after.trim()), shown);
    for (const line of known.suggestion.lines) assert.ok(shown.replace(/\s+/g, " ").includes(line.replace(/\s+/g, " ")), line);
    await page.click("aside button:has-text('Judge it again')");
    assert.equal(
      await text(page, ".bar code"),
      `morph mutate --fresh --only ${known.change.file} --operators ${known.change.operator}`,
    );
    noFaults(page);
  },

  "specs make, check and show the cases of a pool as the command line does": async world => {
    const page = await at(world, "#/specs?pool=" + encodeURIComponent(join(world.work, "cases.jsonl")));
    await until(page, "the morphisms", () => document.querySelectorAll(".morphisms fieldset").length >= 3);
    const {
      specs: [spec],
    } = world.project.json("spec", "list");
    const ticks = await text(page, ".morphisms");
    for (const name of [...spec.seeds, ...spec.datamorphisms, ...spec.relations]) assert.ok(ticks.includes(name), name);
    await page.uncheck("[data-tick='datamorphisms 0']");
    for (const [title, line] of [
      ["Empty and seed", "spec seed"],
      ["Mutate", `--datamorphism '${spec.datamorphisms[1]}'`],
      ["Check", "spec check"],
    ]) {
      await page.click(`.activities button:text-is("${title}")`);
      assert.ok((await text(page, ".bar code")).includes(line), await text(page, ".bar code"));
      await page.click(".bar .main");
      await until(page, title, () => /^done/.test(document.querySelector(".bar output").textContent));
    }
    const shown = execFileSync(
      world.morph,
      ["spec", "show", "--pool", join(world.work, "cases.jsonl"), "--json", "--build", world.project.build],
      {encoding: "utf8"},
    );
    const lines = shown
      .trim()
      .split("\n")
      .map(line => JSON.parse(line));
    assert.ok(lines.length > 0 && lines.every(line => line.by !== spec.datamorphisms[0]), shown);
    await until(
      page,
      "the cases",
      n => window.morph.opened.table.shown.length === n && /✗|✓/.test(document.querySelector(".rows").innerText),
      lines.length,
    );
    assert.deepEqual(
      (await rowsOf(page)).map(row => [row[1], row[5]]),
      lines.map(line => [line.by, line.id]),
    );
    const failing = lines
      .flatMap(line => line.runs.flatMap(run => Object.values(run.verdicts || {})))
      .filter(verdict => verdict === "fail").length;
    assert.match(await text(page, ".messages"), new RegExp(`Violations: ${failing}`));
    noFaults(page);
  },

  "a screen without data says what is missing and offers the command": async world => {
    const page = await openPage(world.context, "about:blank");
    await page.route("**/api/runs/*/output", route =>
      route.fulfill({
        contentType: "application/json",
        body: JSON.stringify({schema: "morph.error/1", exit: 3, errors: ["nothing was mutated yet"]}),
      }),
    );
    await page.goto(world.studio.url);
    await goTo(page, "#/mutants");
    await until(page, "what is missing", () =>
      /There is no mutation result: nothing was mutated yet/.test(document.body.innerText),
    );
    await page.click("main button:has-text('Judge mutants')");
    assert.equal(await text(page, ".bar code"), "morph mutate");
    noFaults(page);
  },
};
