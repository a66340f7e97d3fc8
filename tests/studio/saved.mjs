// The same modules with data in the page instead of a server: one file, opened from the disk.
import assert from "node:assert/strict";
import {readdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {pathToFileURL} from "node:url";
import {goTo, noFaults, openPage, rowsOf, settled, text, until} from "./browser.mjs";

/// The modules in the order in which they need each other, as one script: names at the top are unique over all of them.
export function oneScript(pages) {
  const done = new Set(),
    parts = [];
  const add = name => {
    if (done.has(name)) return;
    done.add(name);
    const source = readFileSync(join(pages, name), "utf8");
    for (const [, needed] of source.matchAll(/^import .* from "\.\/(.*)";$/gm)) add(needed);
    parts.push(source.replace(/^import .*$/gm, "").replace(/^export /gm, ""));
  };
  add("main.js");
  return {script: `(() => {\n"use strict";\n${parts.join("\n")}})();\n`, modules: [...done]};
}

function embedded(value) {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

export function savedPage({pages, work}, data, name) {
  const html = readFileSync(join(pages, "index.html"), "utf8")
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>\n${readFileSync(join(pages, "style.css"), "utf8")}</style>`)
    .replace(/<script type="module"[^>]*><\/script>/, "")
    .replace(
      "</body>",
      () =>
        `<script type="application/json" id="data">${embedded(data)}</script>\n<script>${oneScript(pages).script}</script>\n</body>`,
    );
  const file = join(work, name);
  writeFileSync(file, html);
  return pathToFileURL(file).href;
}

export const tests = {
  "every module is part of the page, and no name is used by two": async ({pages}) => {
    const {script, modules} = oneScript(pages);
    assert.deepEqual(
      modules.sort(),
      readdirSync(pages)
        .filter(name => name.endsWith(".js"))
        .sort(),
    );
    new Function(script);
  },

  "a saved page shows the same without a server, and starts nothing": async world => {
    const {json, folder} = world.project;
    const documents = [["plan"], ["report", "coverage"], ["report", "mutation"], ["spec", "list"], ["store", "info"]].map(
      words => ({arguments: words, output: json(...words)}),
    );
    const sources = {"shop.cpp": readFileSync(join(folder, "shop.cpp"), "utf8")};
    const page = await openPage(
      world.context,
      savedPage(world, {version: "0.1.0", repository: folder, documents, sources}, "saved.html"),
    );
    await until(page, "the cards", () => document.querySelectorAll(".cards .figures").length >= 4);
    await goTo(page, "#/plan?decision=selected");
    await settled(page, "Tests of the plan");
    assert.equal((await rowsOf(page)).length, documents[0].output.totals.selected);
    assert.match(await text(page, ".bar output"), /saved page: nothing can be run/);
    assert.ok(await page.isDisabled(".bar .main"));
    await goTo(page, "#/coverage?file=shop.cpp&line=4");
    await settled(page, "Source");
    await until(page, "the line's tests", () => /Executed by \d+ test/.test(document.querySelector("aside").innerText));
    await goTo(page, "#/mutants");
    await settled(page, "Mutants");
    assert.equal(await page.evaluate(() => document.querySelectorAll("img").length), 0);
    noFaults(page);
  },
};
