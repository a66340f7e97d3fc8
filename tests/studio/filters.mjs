// Filters, search and sorting, and their place in the address.
import assert from "node:assert/strict";
import {goTo, noFaults, openPage, rowsOf, settled, text, until} from "./browser.mjs";
import {savedPage} from "./saved.mjs";

async function planPage({context, studio}) {
  const page = await openPage(context, studio.url);
  await goTo(page, "#/plan");
  await settled(page, "Tests of the plan");
  return page;
}

export const tests = {
  "the token leaves the address and no address that is copied has it": async world => {
    const page = await openPage(world.context, world.studio.url);
    await until(page, "the overview", () => location.hash === "#/overview");
    assert.ok(!(await page.evaluate(() => location.href + history.state)).includes(world.studio.token));
    assert.equal(await page.evaluate(() => sessionStorage.getItem("token")), world.studio.token);
  },

  "a search keeps rows that have all words, in any order and case": async world => {
    const page = await planPage(world);
    await page.fill("[data-search]", "DISCOUNT members");
    assert.deepEqual(
      (await rowsOf(page)).map(row => row[2]),
      ["members get a discount"],
    );
    await page.fill("[data-search]", "no such test");
    assert.equal((await rowsOf(page)).length, 0);
    assert.match(await text(page, ".nothing"), /no test of the plan has these words/);
    noFaults(page);
  },

  "choices and search are in the address, and a reload keeps them": async world => {
    const page = await planPage(world);
    await page.fill("[data-search]", "discount");
    const summary = await text(page, ".summary");
    const choices = await page.evaluate(() =>
      [...document.querySelectorAll("label select")].map(one => [...one.options].map(option => option.value)),
    );
    assert.ok(choices[0].includes("deselected"), `${JSON.stringify(choices)}; ${summary}`);
    await page.selectOption("label:has-text('Decision') select", "deselected");
    await page.click("[role=columnheader] button:has-text('test')");
    await page.click("[role=columnheader] button:has-text('test')");
    await until(
      page,
      "the address",
      () => /q=discount/.test(location.hash) && /decision=deselected/.test(location.hash) && /down=1/.test(location.hash),
    );
    const rows = await rowsOf(page);
    assert.ok(rows.length > 1 && rows.every(row => row[1] === "deselected" && row.join().includes("discount")));
    await page.reload();
    await settled(page, "Tests of the plan");
    assert.deepEqual(await rowsOf(page), rows);
    assert.equal(await page.inputValue("[data-search]"), "discount");
    noFaults(page);
  },

  "back and forward go through screens": async world => {
    const page = await planPage(world);
    await page.click("nav a:has-text('Tests')");
    await settled(page, "Tests");
    await page.goBack();
    await settled(page, "Tests of the plan");
    assert.equal(await text(page, "h1"), "Plan");
    await page.goForward();
    assert.equal(await text(page, "h1"), "Tests");
  },

  "sorting by time puts the slowest first, and tests without a time last": async world => {
    const tests = [0.5, null, 2, 1].map((seconds, i) => ({
      suite: "s",
      name: "t" + i,
      case: "",
      selected: false,
      decision: "deselected",
      rank: null,
      reasons: ["unaffected"],
      marks: [],
      seconds,
    }));
    const totals = {selected: 0, total: 4, selected_seconds: 0, total_seconds: 3.5};
    const output = {schema: "morph.plan/1", state: "affected", base: {}, suites: [], tests, notes: [], totals};
    const data = {version: "", repository: "", documents: [{arguments: ["plan"], output}]};
    const page = await openPage(world.context, savedPage(world, data, "times.html") + "#/plan");
    await settled(page, "Tests of the plan");
    const times = async () => (await rowsOf(page)).map(row => row[4]);
    const press = () => page.click("[role=columnheader] button:has-text('time')");
    await press();
    assert.deepEqual(await times(), ["500 ms", "1.00 s", "2.00 s", "–"]);
    await press();
    assert.deepEqual(await times(), ["2.00 s", "1.00 s", "500 ms", "–"]);
    assert.equal(await page.getAttribute("[role=columnheader]:has-text('time')", "aria-sort"), "descending");
    noFaults(page);
  },
};
