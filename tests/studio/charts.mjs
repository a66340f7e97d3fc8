// The chart helper alone: ticks, keyboard, names for screen readers.
import assert from "node:assert/strict";
import {noFaults, openPage, until} from "./browser.mjs";

/// Draws one chart of each kind into the page; clicks on points are kept in window.clicked.
export async function drawCharts(page) {
  await page.evaluate(async () => {
    const charts = await import("/app/chart.js");
    window.clicked = [];
    const press = what => () => window.clicked.push(what);
    const front = [1, 2, 5, 9].map((x, i) => ({
      x,
      y: [10, 40, 45, 80][i],
      label: `${x} tests`,
      chosen: i === 1,
      onclick: press(x),
    }));
    const percent = n => `${n} %`;
    const day = 86400;
    document.querySelector("main").replaceChildren(
      charts.scatterChart({
        title: "Front",
        about: "Four sets of tests",
        x: {title: "tests", zero: true, whole: true},
        y: {title: "covered", text: percent, zero: true},
        points: front,
        step: true,
      }),
      charts.lineChart({
        title: "Score",
        x: {title: "day", time: true},
        y: {title: "score", text: percent},
        series: ["killed", "covered"].map((name, j) => ({
          name,
          points: [0, 1, 2, 4].map(i => ({x: 1.7e9 + i * day, y: 60 + 7 * i + 4 * j, label: `${name} ${i}`})),
        })),
      }),
      charts.barChart({
        title: "Flaky",
        bars: [
          {label: "a test with <b>a long name</b> that goes on and on", value: 9, text: "9 of 20", onclick: press("bar")},
          {label: "other", value: 3, text: "3 of 20", kind: 1, onclick: press("other")},
        ],
      }),
      charts.scatterChart({
        title: "Classes",
        x: {title: "width"},
        y: {title: "height"},
        kinds: ["equilateral", "isosceles", "scalene", "none"],
        points: Array.from({length: 40}, (none, i) => ({x: (i * 7) % 11, y: (i * 5) % 13, kind: i % 4, label: `case ${i}`})),
      }),
      charts.heatMap({
        title: "Image",
        rows: Array.from({length: 8}, (none, i) => Array.from({length: 16}, (nothing, j) => i * j)),
      }),
    );
  });
}

export const tests = {
  "ticks are few and round, and hold both ends": async ({context, studio}) => {
    const page = await openPage(context, studio.url);
    const ticks = await page.evaluate(async () => {
      const {roundTicks} = await import("/app/chart.js");
      return [
        roundTicks(0, 80),
        roundTicks(0.13, 0.91),
        roundTicks(-3, 4),
        roundTicks(0, 3, 5, true),
        roundTicks(0, 1, 5, true),
      ];
    });
    assert.deepEqual(ticks, [
      [0, 20, 40, 60, 80],
      [0, 0.2, 0.4, 0.6, 0.8, 1],
      [-4, -2, 0, 2, 4],
      [0, 1, 2, 3],
      [0, 1],
    ]);
  },

  "points and bars are reached and pressed by keyboard and mouse": async ({context, studio}) => {
    const page = await openPage(context, studio.url);
    await until(page, "the overview", () => document.querySelector("main h1"));
    await drawCharts(page);
    const stops = await page.evaluate(() =>
      [...document.querySelectorAll("[role=button][tabindex='0']")].map(one => one.firstChild.textContent),
    );
    assert.deepEqual(stops, ["2 tests", "a test with <b>a long name</b> that goes on and on: 9 of 20"]);
    await page.focus("[role=button]:has-text('2 tests')");
    for (const key of ["Enter", "ArrowRight", "Enter", "End", " ", "Home", "ArrowLeft", "Enter"])
      await page.keyboard.press(key);
    await page.click("[role=button]:has-text('other')");
    await page.click("[role=button]:has-text('5 tests')");
    assert.deepEqual(await page.evaluate(() => window.clicked), [2, 5, 9, 1, "other", 5]);
    noFaults(page);
  },

  "charts have names and descriptions, in light and dark, and never a markup of data": async ({context, studio, axe}) => {
    const page = await openPage(context, studio.url);
    await until(page, "the overview", () => document.querySelector("main h1"));
    await drawCharts(page);
    await page.evaluate(axe);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({colorScheme});
      const found = await page.evaluate(() => window.axe.run(".chart", {resultTypes: ["violations"]}));
      assert.deepEqual(
        found.violations.map(one => one.id + " " + one.nodes.map(node => node.html.slice(0, 120))),
        [],
      );
    }
    const named = await page.evaluate(() =>
      [...document.querySelectorAll(".chart > svg")].map(svg => [
        svg.getAttribute("role"),
        svg.ariaLabel,
        document.getElementById(svg.getAttribute("aria-describedby")).textContent,
      ]),
    );
    assert.deepEqual(named, [
      ["group", "Front", "Four sets of tests"],
      ["img", "Score", "Score"],
      ["group", "Flaky", "Flaky"],
      ["img", "Classes", "Classes"],
      ["img", "Image", "Image"],
    ]);
    assert.equal(await page.evaluate(() => document.querySelectorAll(".chart b").length), 0);
    noFaults(page);
  },
};
