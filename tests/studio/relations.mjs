// The screen of relations: found, tried as specs.
import assert from "node:assert/strict";
import {goTo, noFaults, openPage, rowsOf, settled, text, until} from "./browser.mjs";

async function runFromScreen(page, title) {
  await page.click(`main button:visible:has-text('${title}')`);
  await page.keyboard.press("Enter");
}

export const tests = {
  "relations are those of morph scout, and their specs those of morph scout --specs": async world => {
    const found = world.project.json("scout");
    const relations = found.tests.flatMap(test => test.relations.map(one => [one.text, test.name, one.unit, one.transformation]));
    assert.ok(relations.length > 0);
    const page = await openPage(world.context, world.studio.url);
    await goTo(page, "#/relations");
    await until(page, "what to do", () => document.querySelector("main .absent"));
    await runFromScreen(page, "Find relations in tests");
    await settled(page, "Relations");
    assert.deepEqual(
      (await rowsOf(page)).map(row => row.slice(0, 4)),
      relations,
    );
    await page.click(".rows .row:has-text('sum costs')");
    await until(page, "its calls", () => document.querySelectorAll("aside ol li").length > 1);
    const shown = await text(page, "aside");
    for (const one of found.tests[0].relations[0].invocations) assert.ok(shown.includes(one.text), shown);
    await runFromScreen(page, "Try relations as specs");
    await until(page, "a spec that is kept", () => document.querySelector("aside table"), null, 90000);
    const rows = await rowsOf(page);
    assert.equal(rows.find(row => row[1] === "a sum costs what it is")[5], "kept");
    assert.match(await text(page, "aside table"), /from the test\s+1\s+0\s+0/);
    assert.match(await text(page, ".bar output"), /1 of 1 relation kept/);
    noFaults(page);
  },
};
