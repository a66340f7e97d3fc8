// A server that goes away, comes back, or is another one.
import assert from "node:assert/strict";
import {noFaults, goTo, openPage, settled, text, until} from "./browser.mjs";
import {ask, startProxy, startStudio, stateOf} from "./studio.mjs";

export const tests = {
  "a lost server is said, data stay, and the page goes on when it is back": async world => {
    const proxy = await startProxy(world.studio);
    const page = await openPage(world.context, proxy.url);
    await goTo(page, "#/plan");
    await settled(page, "Tests of the plan");
    await proxy.drop();
    await until(page, "that it is lost", () =>
      /Connection lost: the server does not answer/.test(document.querySelector(".lost").innerText),
    );
    assert.ok(await page.evaluate(() => document.querySelectorAll(".rows .row").length > 0));
    const answer = await ask(world.studio, "/api/runs", {
      method: "POST",
      headers: {"Content-Type": "application/json"},
      body: JSON.stringify({arguments: ["store", "info"]}),
    });
    const {id} = JSON.parse(answer.text);
    await proxy.listen();
    await until(
      page,
      "that it is back",
      () => document.querySelector(".lost").hidden && /connected again/.test(document.querySelector(".said").innerText),
    );
    await until(page, "what happened meanwhile", number => (window.morph.runs.all.get(number) || {}).state === "ended", id);
    await proxy.drop();
    noFaults(page);
  },

  "a page without the token of the server says which address to open": async world => {
    const page = await openPage(world.context, world.studio.origin + "/");
    await until(page, "what to do", () =>
      /This address has no token\. Open the one that `morph studio` printed/.test(document.body.innerText),
    );
    const other = await openPage(world.context, world.studio.origin + "/#token=" + "0".repeat(32));
    await until(other, "the refusal", () => /The server refuses this page/.test(document.body.innerText));
  },

  "a server that is started anew is another one": async world => {
    const first = await startStudio(world.morph, world.project.build);
    const page = await openPage(world.context, first.url);
    await goTo(page, "#/plan");
    await settled(page, "Tests of the plan");
    await first.stop("SIGKILL");
    await until(page, "that it is lost", () => !document.querySelector(".lost").hidden);
    const second = await startStudio(world.morph, world.project.build, first.port);
    try {
      await until(page, "the refusal", () =>
        /The server refuses this page.*Open the address that it printed/.test(document.querySelector(".lost").innerText),
      );
      await page.goto("about:blank");
      await page.goto(second.url);
      await goTo(page, "#/plan");
      await settled(page, "Tests of the plan");
      assert.equal((await stateOf(second)).runs.length > 0, true);
      assert.equal(await text(page, ".lost"), "");
    } finally {
      await second.stop();
    }
  },
};
