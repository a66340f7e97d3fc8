// The optimizer: fronts and sets are those of the commands, and the slider moves along them.
import assert from "node:assert/strict";
import {goTo, noFaults, openPage, rowsOf, settled, text, until} from "./browser.mjs";

async function optimizer(world, more = "") {
  const page = await openPage(world.context, world.studio.url);
  await goTo(page, "#/optimizer" + more);
  return page;
}

export const tests = {
  "the front is that of morph plan --pareto, and the slider gives the plan of each budget": async world => {
    const front = world.project.json("plan", "--pareto");
    assert.ok(front.rows.length > 1);
    const page = await optimizer(world);
    await settled(page, "Sets of tests");
    const rows = await rowsOf(page);
    assert.deepEqual(
      rows.map(row => Number(row[1])),
      front.rows.map(row => row.tests),
    );
    assert.equal(await page.evaluate(() => document.querySelectorAll(".chart [role=button]").length), front.rows.length);
    assert.equal(await text(page, ".bar code"), "morph plan --pareto");
    await page.focus("input[type=range]");
    await page.keyboard.press("Home");
    await until(page, "the budget", () => /--budget/.test(document.querySelector(".bar code").textContent));
    const words = (await text(page, ".bar code")).split(" ").slice(1);
    assert.ok(Number(words[2]) >= front.rows[0].seconds && Number(words[2]) < front.rows[0].seconds + 2e-6, words.join(" "));
    assert.match(await text(page, ".bought"), /buy 1 test: /);
    assert.equal(await page.getAttribute("input[type=range]", "aria-valuetext"), await text(page, ".bought"));
    await page.click(".bar .main");
    await until(page, "the plan of the budget", () => /selected/.test(document.querySelector(".bar output").textContent));
    await page.focus(".chart [aria-pressed=true]");
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await until(page, "the last", n => document.querySelector("input[type=range]").value === String(n), front.rows.length - 1);
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-pressed")), "true");
    await page.click(".rows .row >> nth=1");
    await until(page, "the row's budget", () => document.querySelector("input[type=range]").value === "1");
    noFaults(page);
  },

  "a budget for all tests asks morph optimize, and shows which tests it keeps": async world => {
    const least = world.project.json("optimize");
    const page = await optimizer(world, "?of=all");
    await settled(page, "Tests by what they cover");
    const kept = rows => rows.filter(row => row[0] === "✓ kept").map(row => row[1]);
    assert.deepEqual(
      kept(await rowsOf(page)),
      least.tests.filter(test => test.kept).map(test => test.name),
    );
    await page.focus("input[type=range]");
    for (let i = 0; i < 10; ++i) await page.keyboard.press("ArrowLeft");
    await until(page, "the budget", () => /--budget/.test(document.querySelector(".bar code").textContent));
    const words = (await text(page, ".bar code")).split(" ").slice(1);
    await until(page, "the set", () => /% of what all cover/.test(document.querySelector(".bought").textContent));
    const set = world.project.json(...words);
    await until(
      page,
      "its tests",
      n => window.morph.opened.table.rows.filter(row => row.kept).length === n,
      set.tests.filter(test => test.kept).length,
    );
    assert.deepEqual(
      kept(await rowsOf(page)),
      set.tests.filter(test => test.kept).map(test => test.name),
    );
    noFaults(page);
  },
};
