// The browser, and what tests do with a page.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {existsSync, readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {resolve} from "node:path";

function findChromium() {
  for (const name of ["chromium-headless-shell", "chromium", "google-chrome"])
    try {
      return execFileSync("sh", ["-c", "command -v " + name], {encoding: "utf8"}).trim();
    } catch {
      /* the next one */
    }
  return "";
}

/// {browser, axe}, or {missing}: what is not there.
export async function openBrowser(modules) {
  const folder = resolve(modules, "node_modules");
  if (modules === "" || !existsSync(folder))
    return {missing: "no playwright-core; `./dev test` gets it, or name its folder with --modules"};
  const require = createRequire(folder + "/");
  let playwright;
  try {
    playwright = require("playwright-core");
  } catch {
    return {missing: `no playwright-core in ${folder}`};
  }
  const program = findChromium();
  if (program === "") return {missing: "no Chromium (Debian: apt install chromium-headless-shell)"};
  const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
  return {browser: await playwright.chromium.launch({executablePath: program, args: ["--no-sandbox"]}), axe};
}

/// A page that fails the test if a script of it fails, or if its security policy blocks anything.
export async function openPage(context, url) {
  const page = await context.newPage();
  page.faults = [];
  page.on("pageerror", error => page.faults.push(error.message));
  page.on("console", message => {
    if (message.type() === "error" && !/Failed to load resource|ERR_/.test(message.text())) page.faults.push(message.text());
  });
  await page.goto(url);
  return page;
}

export async function goTo(page, address) {
  await page.evaluate(to => {
    location.hash = to;
  }, address);
}

/// Waits until the page's function gives true.
export async function until(page, what, condition, argument, timeout = 15000) {
  try {
    await page.waitForFunction(condition, argument, {timeout});
  } catch {
    const text = await page.evaluate(() =>
      ["main", "footer"].map(one => document.querySelector(one)?.innerText.slice(0, 1500)).join("\n"),
    );
    assert.fail(`never seen: ${what}; faults: ${page.faults.join("; ") || "none"}; the page reads:\n${text}`);
  }
}

export async function text(page, selector) {
  return page.evaluate(one => [...document.querySelectorAll(one)].map(element => element.innerText).join("\n"), selector);
}

/// All rows of a table, also those that are not drawn, as arrays of the columns' texts.
export async function rowsOf(page) {
  return page.evaluate(() => {
    const {table} = window.morph.opened;
    return table.shown.map(i => table.columns.map(column => column.text(table.rows[i])));
  });
}

/// The texts that stand on the screen in the drawn rows of the first table, from the top.
export async function drawnRows(page, label) {
  return page.evaluate(
    name =>
      [...document.querySelectorAll(`[role=grid][aria-label="${name}"] .rows .row`)].map(row =>
        [...row.children].map(cell => cell.innerText),
      ),
    label,
  );
}

export async function settled(page, table, timeout = 15000) {
  await until(
    page,
    `rows of the table ${table}`,
    name => document.querySelectorAll(`[role=grid][aria-label="${name}"] .rows .row`).length > 0,
    table,
    timeout,
  );
}

export function noFaults(page) {
  assert.deepEqual(page.faults, []);
}
