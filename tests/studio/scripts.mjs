// The screen of scripts, and sessions on the screen of specs that become scripts.
import assert from "node:assert/strict";
import {createHash} from "node:crypto";
import {existsSync, readFileSync, rmSync} from "node:fs";
import {join} from "node:path";
import {goTo, noFaults, openPage, rowsOf, settled, text, until} from "./browser.mjs";
import {act, openSpecs, studyOf} from "./study.mjs";

const hashOf = file => createHash("sha256").update(readFileSync(file)).digest("hex");

function freshScript(study, name) {
  rmSync(join(study.folder, ".morph/scripts", name + ".morph"), {force: true});
  rmSync(join(study.build, ".morph/recording.json"), {force: true});
}

async function runOffered(page, what, end = "^done") {
  await page.click(".bar .main");
  await until(page, what, how => new RegExp(how).test(document.querySelector(".bar output").textContent), end, 60000);
}

export const tests = {
  "a session of 30 clicks is a script of 30 steps, whose play makes an equal pool": async world => {
    const study = await studyOf(world);
    const pool = join(world.work, "session.jsonl");
    rmSync(pool, {force: true});
    freshScript(study, "session");
    const page = await openSpecs(world, "series", pool);
    await act(page, "Record");
    await until(page, "the recording", () => /● recording into session/.test(document.querySelector("main").innerText));
    const round = ["Mutate", "Execute", "Check", "Measure", "Analyse", "First order", "Filter"];
    let clicks = 0;
    const click = async title => {
      await act(page, title);
      ++clicks;
    };
    await click("Empty and seed");
    await page.click("[data-tick='datamorphisms 1']"); // pairs would make too many cases
    await page.click("[data-tick='case filters 0']");
    for (let i = 0; i < 4; ++i) for (const title of round) await click(title);
    await click("Check");
    assert.equal(clicks, 30);
    const recorded = hashOf(pool);
    await act(page, "End recording");
    const script = study.morph("script", "show", "session");
    const steps = script.split("\n").filter(line => /^(try )?morph /.test(line));
    assert.equal(steps.length, 30, script);
    assert.ok(!script.includes("--json") && !script.includes("spec show") && !script.includes("spec list"), script);
    noFaults(page);
    rmSync(pool);
    study.morph("script", "play", "session");
    assert.equal(hashOf(pool), recorded);
    return `${steps.length} steps`;
  },

  "scripts are listed, shown as steps, typed, edited, refused with a reason, and played": async world => {
    const study = await studyOf(world);
    const pool = join(world.work, "typed.jsonl");
    rmSync(pool, {force: true});
    freshScript(study, "typed");
    const page = await openPage(world.context, study.studio.url);
    await goTo(page, `#/specs?spec=series&pool=${encodeURIComponent(pool)}`);
    await until(page, "the activities", () => document.querySelector(".activities button"));
    await page.click(".activities button:text-is('Empty and seed')");
    await page.click("button:text-is('Add to script')");
    await goTo(page, "#/scripts?new=1");
    await until(page, "the text", () => /morph spec seed/.test(document.querySelector("textarea").value));
    await page.fill("aside input", "typed");
    await page.click("button:text-is('Keep this text')");
    await runOffered(page, "the script is kept");
    await goTo(page, "#/scripts");
    await settled(page, "Scripts");
    await until(page, "the row", () => [...document.querySelectorAll(".rows .row")].some(row => /^typed/.test(row.innerText)));
    await page.click(".rows .row:has-text('typed')");
    await until(page, "its steps", () => document.querySelectorAll(".steps tbody tr").length === 1);
    const kept = await page.inputValue("textarea");
    assert.equal(kept, study.morph("script", "show", "typed"));
    await page.fill("textarea", kept + `morph spec mutate --spec series --pool ${pool}\n`);
    await page.click("button:text-is('Keep this text')");
    await runOffered(page, "the edit is kept");
    await until(page, "two steps", () => document.querySelectorAll(".steps tbody tr").length === 2);
    await page.fill("textarea", "morph frob\n");
    await page.click("button:text-is('Keep this text')");
    await runOffered(page, "the refusal", "there is no command `morph frob`");
    assert.match(study.morph("script", "show", "typed"), /spec mutate/);
    await page.click("aside button:text-is('Play')");
    await runOffered(page, "the play", "^done.*: 2 of 2 steps played");
    await until(
      page,
      "how steps ended",
      () => (document.querySelector(".steps").innerText.match(/exit 0/g) || []).length === 2,
    );
    assert.ok(existsSync(pool));
    noFaults(page);
  },

  "a recording is begun and ended on the screen, and what pages ask by themselves is none of it": async world => {
    const study = await studyOf(world);
    freshScript(study, "looked");
    const page = await openPage(world.context, study.studio.url);
    await goTo(page, "#/scripts?name=looked");
    await until(page, "the buttons", () => document.querySelector("main button"));
    await page.click("main button:text-is('Record')");
    await runOffered(page, "the recording");
    await until(page, "its state", () => /● recording into looked: 0 commands/.test(document.querySelector("main").innerText));
    assert.ok(await page.isDisabled("main button:text-is('Record')"));
    for (const screen of ["plan", "specs", "history", "scripts"]) {
      await goTo(page, "#/" + screen);
      await until(
        page,
        screen,
        name => document.querySelector("main").className === name && !document.querySelector("[aria-busy]"),
        screen,
      );
    }
    await page.click("main button:text-is('End recording')");
    await runOffered(page, "the end", "^done.*: .*0 commands");
    await settled(page, "Scripts");
    const row = (await rowsOf(page)).find(one => one[0] === "looked");
    assert.equal(row[2], "✓ playable");
    assert.match(await text(page, "main"), /Nothing is being recorded/);
    noFaults(page);
  },
};
