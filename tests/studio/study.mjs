// A project of specs alone: the triangles and zones of the examples, and a spec with every kind of morphism.
import {cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {execFileSync, spawnSync} from "node:child_process";
import {dirname, join} from "node:path";
import {openPage, until} from "./browser.mjs";
import {run} from "./project.mjs";
import {startStudio} from "./studio.mjs";

const cmake = `cmake_minimum_required(VERSION 3.25)
project(study CXX)
enable_testing()
find_package(Morph REQUIRED)
add_library(studied classifiers.cpp zones.cpp)
target_include_directories(studied PUBLIC .)
target_compile_features(studied PUBLIC cxx_std_20)
morph_add_spec(study SOURCES triangle.spec.cpp borders.spec.cpp series.spec.cpp LINK studied
  WORKING_DIRECTORY \${CMAKE_CURRENT_SOURCE_DIR})
`;

const series = `#include <algorithm>
#include <morph/morph.hpp>
#include <numeric>
#include <string>
#include <vector>

using numbers = std::vector<double>;

MORPH_SPEC(series, numbers, double, s) {
  s.execute("sum", [](const numbers& v) { return std::accumulate(v.begin(), v.end(), 0.0); });
  s.execute("first", [](const numbers& v) { return v.empty() ? 0.0 : v.front(); });
  s.seeds("typical", {{1, 2, 3}, {5, 1}});
  s.seeds("typed in", morph::standard_input{});
  auto back = s.datamorph("reversed", [](numbers v) { return std::reverse(v.begin(), v.end()), v; });
  s.relation("the order is irrelevant", back, [](auto& m, auto& o) { return m.output == o.output; });
  auto joined = s.datamorph("joined", [](numbers a, const numbers& b) { return a.insert(a.end(), b.begin(), b.end()), a; });
  s.relation("the whole is the sum of its parts", joined,
             [](auto& m, auto& a, auto& b) { return m.output == a.output + b.output; });
  s.case_metric("length", [](auto& c) { return 1.0 * static_cast<double>(c.input.size()); });
  s.case_filter("long", [](auto& c, auto&) { return c.input.size() > 2; });
  s.set_metric("spread", [](auto& pool) { return pool.mean_nearest(); });
  s.set_filter("first half", [](auto& pool) {
    std::vector<morph::case_index> kept;
    for (std::size_t i = 0; 2 * i < pool.size(); ++i) kept.push_back(static_cast<morph::case_index>(i));
    return kept;
  });
  s.analyser("longest", [](auto& pool) {
    std::size_t longest = 0;
    for (const auto& each : pool) longest = std::max(longest, each.input.size());
    return std::to_string(longest) + " numbers";
  });
}

MORPH_SPEC(pictures, std::string, int, s) {
  s.execute([](const std::string& file) { return static_cast<int>(file.size()); });
  s.seeds("files", {std::string("dot.pgm")});
}
`;

const image = "P2\n# a dot\n3 2\n255\n0 0 0\n0 255 0\n";

const copies = {
  triangle: ["triangle.spec.cpp", "triangle.hpp", "classifiers.cpp", "triangles.csv"],
  borders: ["borders.spec.cpp", "zones.hpp", "zones.cpp"],
};

let made = null;

/// {folder, build, studio, morph(words...)} of a study that is made once; stop() ends its server.
export async function studyOf(world) {
  if (made) return made;
  const folder = join(world.work, "study"),
    build = join(folder, "build"),
    mark = join(build, "ready");
  const sources = {"CMakeLists.txt": cmake, "series.spec.cpp": series, "dot.pgm": image, ".gitignore": "build/\n.morph/\n"};
  const examples = join(world.pages, "../../examples");
  const digest = JSON.stringify([
    sources,
    Object.entries(copies).map(([from, names]) => names.map(name => readFileSync(join(examples, from, name), "utf8"))),
  ]);
  if (!existsSync(mark) || readFileSync(mark, "utf8") !== digest || !world.reuse) {
    rmSync(folder, {recursive: true, force: true});
    mkdirSync(folder, {recursive: true});
    for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text);
    for (const [from, names] of Object.entries(copies))
      for (const name of names) cpSync(join(examples, from, name), join(folder, name));
    for (const words of [
      ["init", "-q"],
      ["add", "."],
      ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one"],
    ])
      execFileSync("git", words, {cwd: folder});
    const launcher = spawnSync("ccache", ["--version"]).status === 0 ? ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] : [];
    run("cmake", ["-B", "build", "-G", "Ninja", `-DCMAKE_PREFIX_PATH=${dirname(dirname(world.morph))}`, ...launcher], folder);
    run("cmake", ["--build", "build"], folder);
    writeFileSync(mark, digest);
  }
  const morph = (...words) => run(world.morph, [...words, "--build", build], folder, [0, 1]);
  made = {folder, build, morph, studio: await startStudio(world.morph, build)};
  return made;
}

export async function endStudy() {
  if (made) await made.studio.stop();
}

/// The screen of specs of the study, with a spec and an own pool.
export async function openSpecs(world, spec, pool, more = "") {
  const study = await studyOf(world);
  const page = await openPage(world.context, study.studio.url);
  await page.evaluate(
    to => {
      location.hash = to;
    },
    `#/specs?spec=${spec}&pool=${encodeURIComponent(pool)}${more}`,
  );
  await until(page, "the morphisms", () => document.querySelectorAll(".morphisms fieldset").length >= 2);
  return page;
}

/// Clicks on the button of an activity and on Run, and waits for the end.
export async function act(page, title, end = "^done") {
  await page.click(`.activities button:text-is("${title}")`);
  await page.click(".bar .main");
  await until(page, title, how => new RegExp(how).test(document.querySelector(".bar output").textContent), end, 60000);
}
