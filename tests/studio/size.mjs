// Large data. Times are printed and not asserted: they are of this machine, under this load.
import assert from "node:assert/strict";
import {noFaults} from "./browser.mjs";
import {bundle, openPlan, timeOfDocument, timesOfKeys} from "./large.mjs";

export const tests = {
  "10,000 tests come into view": async world => {
    const page = await openPlan(world, 10000);
    const {ms, rows} = await timeOfDocument(page);
    assert.ok(rows < 100, `${rows} rows are drawn`);
    noFaults(page);
    return `${Math.round(ms)} ms from the document to the frame`;
  },

  "100,000 tests are filtered at each key": async world => {
    const page = await openPlan(world, 100000);
    const times = await timesOfKeys(page, "needle");
    assert.equal(await page.evaluate(() => window.morph.opened.table.shown.length), 100);
    assert.ok(await page.evaluate(() => document.querySelectorAll(".rows .row").length < 100));
    noFaults(page);
    return `${times.map(time => Math.round(time)).join(", ")} ms from key to frame`;
  },

  "250,000 tests come into view": async world => {
    const page = await openPlan(world, 250000);
    const {ms, rows} = await timeOfDocument(page);
    assert.ok(rows > 0 && rows < 100, `${rows} rows are drawn`);
    noFaults(page);
    return `${Math.round(ms)} ms from the document to the frame`;
  },

  "the bundle is small": async ({pages}) => {
    const {files, bytes} = bundle(pages);
    assert.ok(bytes <= 120 * 1024, `${bytes} bytes`);
    return `${(bytes / 1024).toFixed(1)} kB gzip in ${files} files`;
  },
};
