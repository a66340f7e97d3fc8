// Names of tests that are markup, quotes, shell code, and bytes that are not UTF-8.
import assert from "node:assert/strict";
import {goTo, noFaults, openPage, settled, text, until} from "./browser.mjs";
import {hostileName} from "./project.mjs";
import {screens} from "./screens.mjs";

export const tests = {
  "a name of markup is text on every screen": async ({context, studio}) => {
    const page = await openPage(context, studio.url);
    const name = encodeURIComponent(hostileName);
    for (const address of [
      ...screens.map(one => "#/" + one),
      `#/plan?suite=shop&test=${name}`,
      `#/tests?suite=shop&test=${name}`,
      `#/coverage?file=shop.cpp&suite=shop&test=${name}&line=4`,
    ]) {
      await goTo(page, address);
      await until(
        page,
        address,
        one => document.querySelector("main").className === one && !document.querySelector("[aria-busy]"),
        address.slice(2).split("?")[0],
      );
      assert.equal(await page.evaluate(() => document.querySelectorAll("img, script:not([src])").length), 0, address);
      assert.match(await page.title(), /– Morph$/);
    }
    await goTo(page, "#/plan?q=onerror");
    await settled(page, "Tests of the plan");
    assert.equal(await text(page, ".rows .row span:nth-child(3)"), hostileName);
    noFaults(page);
  },

  "the command line of such a name is quoted for a shell, and Morph finds the test": async ({context, studio}) => {
    const page = await openPage(context, studio.url);
    await goTo(page, `#/plan?suite=shop&test=${encodeURIComponent(hostileName)}`);
    await until(page, "its reasons", () => document.querySelector("aside dl"));
    assert.equal(await text(page, ".bar code"), `morph plan --why '${hostileName.replaceAll("'", "'\\''")}'`);
    noFaults(page);
  },

  "bytes that are not UTF-8 become replacement characters": async ({context, studio}) => {
    const page = await openPage(context, studio.url);
    await goTo(page, "#/plan?q=latin");
    await settled(page, "Tests of the plan");
    assert.equal(await text(page, ".rows .row span:nth-child(3)"), "latin \ufffdt\ufffd");
    noFaults(page);
  },
};
