// Accessibility by axe-core, and zoom.
import assert from "node:assert/strict";
import {goTo, openPage, until} from "./browser.mjs";
import {screens} from "./screens.mjs";

const addresses = [
  ...screens.map(name => "#/" + name),
  "#/plan?test=fails&suite=shop",
  "#/tests?test=fails&suite=shop",
  "#/coverage?file=shop.cpp&line=4",
  "#/mutants?state=survived",
];

async function visit(page, address) {
  await goTo(page, address);
  await until(
    page,
    address,
    name => document.querySelector("main").className === name && !document.querySelector("[aria-busy]"),
    address.slice(2).split("?")[0],
  );
  await page.waitForTimeout(150);
}

async function violations(page, axe, rules) {
  if (!(await page.evaluate(() => Boolean(window.axe)))) await page.evaluate(axe);
  const found = await page.evaluate(only => window.axe.run(document, {resultTypes: ["violations"], ...only}), rules);
  return found.violations.map(
    one =>
      `${one.id}: ${one.help}: ${one.nodes
        .map(node => node.html.slice(0, 150))
        .slice(0, 3)
        .join(" | ")}`,
  );
}

export const tests = {
  ...Object.fromEntries(
    [
      ["light", {}],
      ["dark", {runOnly: ["color-contrast"]}],
    ].map(([scheme, rules]) => [
      `axe finds nothing on any screen, ${scheme}`,
      async ({context, studio, axe}) => {
        const page = await openPage(context, studio.url);
        await page.emulateMedia({colorScheme: scheme});
        for (const address of addresses) {
          await visit(page, address);
          assert.deepEqual(await violations(page, axe, rules), [], address);
        }
        await page.keyboard.press("Control+k");
        assert.deepEqual(await violations(page, axe, rules), [], "the palette");
        return `${addresses.length + 1} views`;
      },
    ]),
  ),

  "at 200 % zoom no screen scrolls sideways": async ({context, studio}) => {
    const page = await openPage(context, studio.url);
    await page.setViewportSize({width: 640, height: 400});
    for (const address of addresses) {
      await visit(page, address);
      const [width, room] = await page.evaluate(() => [document.scrollingElement.scrollWidth, innerWidth]);
      assert.ok(width <= room, `${address}: ${width} of ${room} pixels`);
    }
  },
};
