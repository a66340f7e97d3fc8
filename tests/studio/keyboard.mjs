// Everything is done without a mouse.
import assert from "node:assert/strict";
import {goTo, noFaults, openPage, settled, text, until} from "./browser.mjs";
import {screens} from "./screens.mjs";

const focusable = [
  "a[href]",
  "button:not(:disabled)",
  "input:not(:disabled):not([tabindex='-1'])",
  "select:not(:disabled)",
  "summary",
  "[tabindex='0']",
].join();

/// All controls that are seen, each with a number.
async function number(page) {
  return page.evaluate(
    selector =>
      [...document.querySelectorAll(selector)]
        .filter(element => element.checkVisibility())
        .map((element, i) => {
          element.dataset.control = String(i);
          return `${i} ${element.tagName} ${(element.innerText || element.textContent).slice(0, 40) || element.getAttribute("aria-label")}`;
        }),
    focusable,
  );
}

export const tests = {
  "Tab reaches each control of each screen, and all show their focus": async ({context, studio}) => {
    const page = await openPage(context, studio.url);
    for (const screen of screens) {
      await goTo(page, screen === "coverage" ? "#/coverage?file=shop.cpp&line=4" : "#/" + screen);
      await until(
        page,
        "the screen " + screen,
        name => document.querySelector("main").className === name && !document.querySelector("[aria-busy]"),
        screen,
      );
      await page.waitForTimeout(200);
      const controls = await number(page);
      const reached = new Set();
      await page.evaluate(() => {
        document.activeElement.blur();
      });
      for (let i = 0; i < controls.length + 8; ++i) {
        await page.keyboard.press("Tab");
        const [control, outline] = await page.evaluate(() => [
          document.activeElement.dataset.control,
          getComputedStyle(document.activeElement).outlineStyle,
        ]);
        if (control === undefined) continue;
        reached.add(Number(control));
        assert.notEqual(outline, "none", `${screen}: no outline on ${controls[control]}`);
      }
      assert.deepEqual(
        controls.filter((name, i) => !reached.has(i)),
        [],
        `not reached on ${screen}`,
      );
    }
    noFaults(page);
  },

  "Ctrl-K finds a screen and an action": async ({context, studio}) => {
    const page = await openPage(context, studio.url);
    await until(page, "commands", () => window.morph.commands.size > 0);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("cover");
    await page.keyboard.press("Enter");
    await until(page, "coverage", () => document.querySelector("h1").textContent === "Coverage");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("judge mutants of changed");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("role")), "combobox");
    await page.keyboard.press("Enter");
    assert.equal(await text(page, ".bar code"), "morph mutate --diff");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Run");
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => document.querySelector("dialog").open), false);
    noFaults(page);
  },

  "arrows choose a row, Enter opens it, Escape closes it": async ({context, studio}) => {
    const page = await openPage(context, studio.url);
    await goTo(page, "#/plan");
    await settled(page, "Tests of the plan");
    await page.focus("[role=grid]");
    for (const key of ["ArrowDown", "ArrowDown", "ArrowUp", "Enter"]) await page.keyboard.press(key);
    const first = await page.evaluate(() => window.morph.opened.table.rows[0].name);
    await until(page, "its reasons", name => document.querySelector("aside h2").textContent === name, first);
    const active = await page.getAttribute("[role=grid]", "aria-activedescendant");
    assert.equal(await page.getAttribute("#" + active, "aria-selected"), "true");
    // A plan that is read again meanwhile selects the opened row once more.
    const isLast = () => {
      const grid = document.querySelector("[role=grid]");
      const row = document.getElementById(grid.getAttribute("aria-activedescendant"));
      return row !== null && row.getAttribute("aria-rowindex") === grid.getAttribute("aria-rowcount");
    };
    for (let left = 50; left > 0 && !(await page.evaluate(isLast)); --left) {
      await page.focus("[role=grid]");
      await page.keyboard.press("End");
      await page.waitForTimeout(100);
    }
    assert.ok(await page.evaluate(isLast));
    await page.focus("aside button");
    await page.keyboard.press("Escape");
    assert.equal(await page.isVisible("aside"), false);
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("role")), "grid");
  },
};
