// Running commands: progress, Stop, reload in mid-run, two tabs, killed children, many events.
import assert from "node:assert/strict";
import {goTo, noFaults, openPage, settled, text, until} from "./browser.mjs";
import {drawsOfEvents} from "./large.mjs";
import {ask, childrenOf, eventsUntilEnd, stateOf} from "./studio.mjs";

const long = ["mutate", "--fresh", "--no-equivalence", "--unmutated-runs", "50"];

async function start({studio}, words) {
  const answer = await ask(studio, "/api/runs", {
    method: "POST",
    headers: {"Content-Type": "application/json"},
    body: JSON.stringify({arguments: words}),
  });
  assert.equal(answer.status, 202, answer.text);
  return JSON.parse(answer.text).id;
}

async function ended({studio}, id) {
  for (;;) {
    const run = (await stateOf(studio)).runs.find(one => one.id === id);
    if (run.state === "ended") return run;
    await new Promise(done => setTimeout(done, 50));
  }
}

const messagesOf = (page, id) => page.evaluate(number => window.morph.runs.all.get(number).messages.join("\n"), id);

export const tests = {
  "an action shows its line, runs, and says its result": async world => {
    const page = await openPage(world.context, world.studio.url);
    await goTo(page, "#/plan");
    await settled(page, "Tests of the plan");
    await page.click("main button:has-text('Measure')");
    assert.equal(await text(page, ".bar code"), "morph measure");
    await page.keyboard.press("Enter");
    await until(page, "its result", () => /^done \(exit code 0\)/.test(document.querySelector(".bar output").textContent));
    assert.match(await text(page, ".bar code"), /^morph measure/);
    assert.equal(await text(page, ".bar .main"), "Run again");
    await until(page, "the plan after it", () => !window.morph.documents.peek(["plan"]).stale);
    noFaults(page);
  },

  "the tests of the plan run by ctest, where the server starts it": async world => {
    const page = await openPage(world.context, world.studio.url);
    await goTo(page, "#/plan");
    await settled(page, "Tests of the plan");
    await page.click("main button:has-text('Run the selected tests')");
    assert.match(await text(page, ".bar code"), /^ctest .*-L morph/);
    if (!(await stateOf(world.studio)).commands.includes("ctest")) {
      assert.match(await text(page, ".bar output"), /to type in a terminal/);
      return "the server does not start ctest; the line can be copied";
    }
    await page.keyboard.press("Enter");
    await until(page, "its result", () =>
      /tests passed, 1 tests failed|tests failed/.test(document.querySelector(".bar output").textContent),
    );
    noFaults(page);
  },

  "a long run shows at the top and Stop ends it": async world => {
    const page = await openPage(world.context, world.studio.url);
    const id = await start(world, long);
    await until(page, "the run", () => document.querySelector(".running li progress"));
    assert.match(await text(page, ".running"), /morph mutate/);
    await page.click(".running button");
    const run = await ended(world, id);
    assert.ok(run.exit !== 0 || run.signal, JSON.stringify(run));
    await until(page, "no run", () => !document.querySelector(".running li"));
    noFaults(page);
  },

  "a reload in mid-run misses nothing, and two tabs say the same": async world => {
    const page = await openPage(world.context, world.studio.url);
    const other = await openPage(world.context, world.studio.url);
    const id = await start(world, long);
    await until(page, "the run", number => window.morph.runs.all.has(number), id);
    await page.reload();
    const run = await ended(world, id);
    for (const tab of [page, other]) {
      await goTo(tab, `#/activity?run=${id}`);
      await until(tab, "its end", number => window.morph.runs.all.get(number).state === "ended", id);
    }
    assert.equal(run.exit, 0);
    const sent = (await eventsUntilEnd(world.studio, id)).filter(event => event.type === "message" && event.id === id);
    assert.notEqual(sent.length, 0);
    for (const tab of [page, other]) assert.equal(await messagesOf(tab, id), sent.map(event => event.text).join("\n"));
    const progress = tab =>
      tab.evaluate(number => {
        const {done, total} = window.morph.runs.all.get(number);
        return [done, total];
      }, id);
    assert.deepEqual(await progress(page), await progress(other));
    await until(page, "its state", () => /done \(exit code 0\)/.test(document.querySelector("main").innerText));
    noFaults(page);
    noFaults(other);
  },

  "a child that is killed is said to have ended by a signal": async world => {
    const page = await openPage(world.context, world.studio.url);
    const id = await start(world, long);
    await goTo(page, `#/activity?run=${id}`);
    await until(page, "the run", number => window.morph.runs.all.has(number), id);
    for (const pid of childrenOf(world.studio.pid)) process.kill(pid, "SIGKILL");
    const run = await ended(world, id);
    assert.ok(run.signal, JSON.stringify(run));
    await until(page, "its end", () => /ended by signal/.test(document.querySelector("main").innerText));
    noFaults(page);
  },

  "a document whose command is killed says so, and can be asked again": async world => {
    const page = await openPage(world.context, "about:blank");
    await page.route("**/api/events", route => route.abort());
    await page.goto(world.studio.url);
    const shown = await page.evaluate(async () => {
      const {Documents} = await import("/app/documents.js");
      const {Runs} = await import("/app/runs.js");
      const runs = new Runs();
      const source = {live: true, start: async () => ({id: 1}), output: async () => ""};
      const documents = new Documents(source, runs, () => {});
      documents.want(["plan"]);
      runs.feed(1, {type: "run-started", run: {id: 1, line: "", arguments: ["plan"], state: "running"}});
      await new Promise(done => setTimeout(done));
      const run = {id: 1, line: "", arguments: ["plan"], state: "ended", exit: null, signal: 9};
      runs.feed(2, {type: "run-ended", run});
      documents.ended(run);
      await new Promise(done => setTimeout(done));
      const {status, error} = documents.peek(["plan"]);
      documents.again(["plan"]);
      return [status, error, documents.peek(["plan"]).asked];
    });
    assert.deepEqual(shown, ["failed", "the command ended by signal 9", true]);
  },

  "a document that was asked for before a change is asked for again": async world => {
    const page = await openPage(world.context, "about:blank");
    await page.route("**/api/events", route => route.abort());
    await page.goto(world.studio.url);
    const started = await page.evaluate(async () => {
      const {Documents} = await import("/app/documents.js");
      const {Runs} = await import("/app/runs.js");
      const runs = new Runs();
      let started = 0;
      const source = {live: true, start: async () => ({id: ++started}), output: async () => "{}"};
      const documents = new Documents(source, runs, () => {});
      const settle = () => new Promise(done => setTimeout(done));
      const feed = (event, state) => {
        const run = {
          id: started,
          line: "",
          arguments: ["plan"],
          state,
          exit: 0,
          signal: null,
          started: new Date().toISOString(),
        };
        runs.feed(event, {type: state === "ended" ? "run-ended" : "run-started", run});
        if (state === "ended") documents.ended(run);
      };
      documents.want(["plan"]);
      await settle();
      feed(1, "running");
      runs.feed(2, {type: "changed", what: "store"});
      documents.spoil();
      feed(3, "ended");
      await settle();
      documents.want(["plan"]);
      await settle();
      return started;
    });
    assert.equal(started, 2);
  },

  "5,000 events are kept and drawn a few times": async world => {
    const page = await openPage(world.context, world.studio.url);
    const {draws, kept, ms} = await drawsOfEvents(page, 5000, 10);
    assert.equal(kept, 5000);
    assert.ok(draws <= ms / 100 + 2, `${draws} times in ${ms} ms`);
    noFaults(page);
    return `${draws} draws in ${Math.round(ms)} ms`;
  },
};
