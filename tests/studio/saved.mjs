// The same modules with data in the page instead of a server: what `morph report html` writes, opened from the disk.
import assert from "node:assert/strict";
import {execFileSync, spawnSync} from "node:child_process";
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {pathToFileURL} from "node:url";
import {goTo, noFaults, openPage, rowsOf, settled, text, until} from "./browser.mjs";
import {hostileName} from "./project.mjs";

const beforeData = '<script type="application/json" id="data">';

/// Runs the command for the project; what it printed.
export function report({morph, project}, ...words) {
  const all = ["report", "html", "--build", project.build, ...words];
  return spawnSync(morph, all, {cwd: project.folder, encoding: "utf8", maxBuffer: 1 << 28});
}

let written = "";

/// The file of the report of the project, made once.
function reportFile(world) {
  if (written !== "") return written;
  const file = join(world.work, "report.html");
  const ended = report(world, "-o", file);
  assert.equal(ended.status, 0, ended.stderr);
  return (written = file);
}

export function dataIn(file) {
  const page = readFileSync(file, "utf8");
  const begin = page.indexOf(beforeData) + beforeData.length;
  return JSON.parse(page.slice(begin, page.indexOf("</script>", begin)));
}

/// The page that the command writes, with other data.
export function savedPage(world, data, name) {
  const page = readFileSync(reportFile(world), "utf8");
  const begin = page.indexOf(beforeData) + beforeData.length;
  const file = join(world.work, name);
  const inside = JSON.stringify(data).replaceAll("<", "\\u003c");
  writeFileSync(file, page.slice(0, begin) + inside + page.slice(page.indexOf("</script>", begin)));
  return pathToFileURL(file).href;
}

/// A page of the file; it fails the test if it asks for anything but files below `work`.
async function openFile(world, file, address = "") {
  const page = await openPage(world.context, pathToFileURL(file).href + address);
  page.on("request", request => {
    if (!request.url().startsWith(pathToFileURL(world.work).href)) page.faults.push("asks for " + request.url());
  });
  return page;
}

async function ready(page, screen) {
  await until(
    page,
    screen,
    one => document.querySelector("main").className === one && !document.querySelector("[aria-busy]"),
    screen,
  );
}

export const tests = {
  "every module is part of the page, and no name is used by two": async world => {
    const page = readFileSync(reportFile(world), "utf8");
    const script = page.slice(page.lastIndexOf("<script>") + 8, page.lastIndexOf("</script>"));
    new Function(script);
    assert.doesNotMatch(script, /^(import|export) /m);
    for (const name of readdirSync(world.pages).filter(one => one.endsWith(".js"))) {
      const [first] = readFileSync(join(world.pages, name), "utf8").split("\n", 1);
      assert.equal(script.split(first + "\n").length, 2, name);
    }
  },

  "a saved page shows the same without a server, and starts nothing": async world => {
    const plan = world.project.json("plan");
    const page = await openFile(world, reportFile(world));
    await until(page, "the cards", () => document.querySelectorAll(".cards .figures").length >= 5);
    assert.match(await text(page, ".where"), /^project.*, as of \d\d:/);
    await goTo(page, "#/plan?decision=selected");
    await settled(page, "Tests of the plan");
    assert.equal((await rowsOf(page)).length, plan.totals.selected);
    assert.match(await text(page, ".bar output"), /saved page: nothing can be run/);
    assert.ok(await page.isDisabled(".bar .main"));
    await goTo(page, "#/coverage?file=shop.cpp&line=4");
    await settled(page, "Source");
    await until(page, "the line's tests", () => /Executed by \d+ test/.test(document.querySelector("aside").innerText));
    assert.match(await text(page, ".source .rows"), /int discount\(int all\)/);
    await goTo(page, "#/mutants");
    await settled(page, "Mutants");
    await goTo(page, "#/specs");
    await until(page, "the spec", () => /one more costs its price/.test(document.querySelector(".morphisms").innerText));
    noFaults(page);
  },

  "details that studio asks for one by one come out of whole documents": async world => {
    const {json} = world.project;
    const page = await openFile(world, reportFile(world));
    await goTo(page, "#/plan?suite=shop&test=fails");
    await until(page, "its reasons", () => document.querySelector("aside dl"));
    const [why] = json("plan", "--why", "fails").tests;
    for (const {reason, because} of why.reasons) {
      assert.ok((await text(page, "aside dt")).includes(reason), reason);
      assert.ok((await text(page, "aside dd")).includes(because), because);
    }
    await goTo(page, "#/tests?suite=shop&test=fails");
    const [executed] = json("report", "coverage", "--per-test", "fails").tests;
    const count = executed.files.find(file => file.path === "shop.cpp").lines.length;
    await until(
      page,
      "its lines",
      n => document.querySelector("aside").innerText.includes(`shop.cpp ${n} lines`),
      count,
    );
    noFaults(page);
  },

  "what no document has is named by the command that has it": async world => {
    const data = {version: "1", repository: "r", documents: [{arguments: ["plan"], output: world.project.json("plan")}]};
    const page = await openPage(world.context, savedPage(world, data, "lacking.html") + "#/plan?suite=shop&test=fails");
    await until(page, "what is missing", () => /morph plan --why fails has it/.test(document.querySelector("aside").innerText));
    await goTo(page, "#/mutants");
    await until(page, "what is missing", () => /morph report mutation has it/.test(document.body.innerText));
    noFaults(page);
  },

  "hostile names stay text, and the policy blocks other scripts": async world => {
    const page = await openFile(world, reportFile(world), "#/plan?q=onerror");
    await settled(page, "Tests of the plan");
    assert.equal(await text(page, ".rows .row span:nth-child(3)"), hostileName);
    await goTo(page, "#/plan?q=latin");
    await until(page, "the name", () => document.querySelector(".rows .row span:nth-child(3)").innerText === "latin \ufffdt\ufffd");
    noFaults(page);
    const name = `</script><script>document.title = "broken"</script><!--<script>`;
    const plan = {...world.project.json("plan")};
    plan.tests = [{...plan.tests[0], name, selected: true}];
    const data = {version: "1", repository: name, documents: [{arguments: ["plan"], output: plan}], sources: {[name]: name}};
    const other = await openPage(world.context, savedPage(world, data, "hostile.html") + "#/plan");
    await settled(other, "Tests of the plan");
    assert.equal(await text(other, ".rows .row span:nth-child(3)"), name);
    assert.match(await other.title(), /^Plan/);
    noFaults(other);
    await other.evaluate(() => {
      const markup = `<img src="x:" onerror="document.title = 'broken'"><style>body { display: none }</style>`;
      document.body.insertAdjacentHTML("beforeend", markup);
      return new Promise(done => setTimeout(done, 200));
    });
    assert.match(await other.title(), /^Plan/);
    assert.notEqual(await other.evaluate(() => getComputedStyle(document.body).display), "none");
    assert.ok(other.faults.some(fault => /Content Security Policy/.test(fault)));
  },

  "a long report warns and has its parts beside it, which go with the next short one": async world => {
    const folder = join(world.work, "long # report");
    rmSync(folder, {recursive: true, force: true});
    const file = join(folder, "a page%20.html");
    const long = report(world, "-o", file, "--split-above", "0.05", "--json");
    assert.equal(long.status, 0, long.stderr);
    assert.match(long.stderr, /the report has more than 0.05 MB: 'a page%20.1.js' to 'a page%20.\d+.js' have a part of it/);
    const said = JSON.parse(long.stdout);
    assert.equal(said.schema, "morph.report-html/1");
    assert.deepEqual(
      said.parts.map(one => one.file),
      said.parts.map((none, i) => join(folder, `a page%20.${i + 1}.js`)),
    );
    const page = await openFile(world, file, "#/coverage?file=shop.cpp&line=4");
    await settled(page, "Source");
    assert.match(await text(page, ".source .rows"), /int discount\(int all\)/);
    await goTo(page, "#/mutants");
    await settled(page, "Mutants");
    noFaults(page);
    rmSync(said.parts[said.parts.length - 1].file);
    const lacking = await openFile(world, file, "#/coverage?file=shop.cpp");
    await until(lacking, "which file", () =>
      /'a page%20.\d+.js', which belongs beside this page, is not there/.test(document.body.innerText),
    );
    assert.equal(report(world, "-o", file, "--split-above", "0.05").status, 0);
    writeFileSync(join(folder, `a page%20.${said.parts.length + 1}.js`), "mine");
    const short = report(world, "-o", file);
    assert.equal(short.stderr, "");
    assert.deepEqual(readdirSync(folder).sort(), [`a page%20.${said.parts.length + 1}.js`, "a page%20.html"].sort());
  },

  "a page that cannot be written is an error, and the old one stays": async world => {
    const folder = join(world.work, "a file");
    writeFileSync(folder, "");
    const refused = report(world, "-o", join(folder, "report.html"));
    assert.equal(refused.status, 3);
    assert.match(refused.stderr, /cannot write '.*a file\/report.html'/);
    assert.equal(report(world).status, 2);
  },

  "a project without evidence has a page that says what is missing": async world => {
    const folder = join(world.work, "empty");
    rmSync(folder, {recursive: true, force: true});
    mkdirSync(folder, {recursive: true});
    writeFileSync(join(folder, "CMakeLists.txt"), "cmake_minimum_required(VERSION 3.25)\nproject(none NONE)\nenable_testing()\n");
    execFileSync("cmake", ["-B", "build"], {cwd: folder, stdio: "ignore"});
    const ended = report({...world, project: {folder, build: join(folder, "build")}}, "-o", join(folder, "page.html"));
    if (ended.status === 3) {
      assert.ok(!existsSync(join(folder, "page.html")));
      return "no build tree of Morph's";
    }
    assert.equal(ended.status, 0, ended.stderr);
    const page = await openFile(world, join(folder, "page.html"), "#/mutants");
    await ready(page, "mutants");
    assert.match(await text(page, "main"), /There is no mutation result/);
    noFaults(page);
  },
};
