// A page of another origin cannot use the server, even with the token.
import assert from "node:assert/strict";
import http from "node:http";
import {openPage} from "./browser.mjs";
import {ask, stateOf} from "./studio.mjs";

async function serve(html) {
  const server = http.createServer((request, answer) => answer.writeHead(200, {"Content-Type": "text/html"}).end(html));
  await new Promise(done => server.listen(0, "127.0.0.1", done));
  return {url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close()};
}

export const tests = {
  "a page on another port reads nothing and starts nothing": async ({context, studio}) => {
    const evil = await serve("<!doctype html><title>evil</title>");
    const before = (await stateOf(studio)).runs.length;
    const page = await openPage(context, evil.url);
    const got = await page.evaluate(
      async ({origin, token}) => {
        const tried = [];
        const body = JSON.stringify({arguments: ["store", "info"]});
        for (const [path, how] of [
          ["/api/state", {}],
          ["/api/state", {headers: {"X-Morph-Token": token}}],
          ["/api/source?file=shop.cpp", {headers: {"X-Morph-Token": token}}],
          ["/api/runs", {method: "POST", headers: {"X-Morph-Token": token, "Content-Type": "application/json"}, body}],
          ["/api/runs", {method: "POST", mode: "no-cors", headers: {"Content-Type": "text/plain"}, body}],
          ["/api/runs", {method: "POST", mode: "no-cors", body}],
        ])
          try {
            const answer = await fetch(origin + path, how);
            tried.push(answer.type === "opaque" ? "opaque" : `${answer.status} ${await answer.text()}`);
          } catch {
            tried.push("blocked");
          }
        return tried;
      },
      {origin: studio.origin, token: studio.token},
    );
    evil.close();
    assert.deepEqual(got.slice(0, 4), Array(4).fill("blocked"));
    assert.ok(
      got.slice(4).every(answer => answer === "blocked" || answer === "opaque"),
      got.join(),
    );
    assert.equal((await stateOf(studio)).runs.length, before);
  },

  "the server refuses another Host, another Origin and a missing token": async ({studio}) => {
    assert.equal((await ask(studio, "/api/state", {headers: {Host: "evil.example:" + studio.port}})).status, 421);
    assert.equal((await ask(studio, "/api/state", {headers: {Origin: "http://evil.example"}})).status, 403);
    const bare = await ask(studio, "/api/state", {headers: {"X-Morph-Token": ""}});
    assert.ok(bare.status === 401 || bare.status === 403, String(bare.status));
  },

  "no page shows studio in a frame": async ({context, studio}) => {
    const evil = await serve(`<!doctype html><title>evil</title><iframe src="${studio.url}"></iframe>`);
    const page = await openPage(context, evil.url);
    await page.waitForTimeout(500);
    const inside = await Promise.all(
      page
        .frames()
        .filter(frame => frame !== page.mainFrame())
        .map(frame => frame.evaluate(() => Boolean(window.morph)).catch(() => false)),
    );
    evil.close();
    assert.ok(!inside.includes(true));
  },

  "sources outside of the project are not served": async ({studio}) => {
    for (const path of ["/etc/passwd", "../../../../../../etc/passwd", "shop.cpp/../../../../../../../etc/passwd"]) {
      const answer = await ask(studio, "/api/source?file=" + encodeURIComponent(path));
      assert.ok(answer.status === 403 || answer.status === 404, path);
    }
    assert.equal((await ask(studio, "/api/source?file=shop.cpp")).status, 200);
  },
};
