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
  "#/optimizer?of=all",
  "#/scripts?new=1",
  "#/history?of=saved",
  "#/history?of=measurements",
  "#/tests?compare=1",
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

/// Texts and elements that reach beyond the right edge of the window, and are not in a part that scrolls by itself.
function tooWide() {
  if (document.scrollingElement.scrollWidth <= innerWidth) return [];
  const scrolls = node => node && (getComputedStyle(node).overflowX !== "visible" || scrolls(node.parentElement));
  const range = document.createRange();
  const nodes = document.createNodeIterator(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  const found = [`${document.scrollingElement.scrollWidth} of ${innerWidth} pixels`];
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    range.selectNodeContents(node);
    if (!node.firstChild && range.getBoundingClientRect().right > innerWidth && !scrolls(node.parentElement))
      found.push((node.outerHTML || node.data).slice(0, 150));
  }
  return found;
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
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("* { font-family: monospace !important; letter-spacing: 0.1em }");
      document.adoptedStyleSheets = [sheet];
    });
    for (const address of addresses) {
      await visit(page, address);
      const wide = await page.evaluate(tooWide);
      assert.deepEqual(wide, [], address);
    }
  },
};
