// A small real project: plain tests with hostile names, one that fails, a spec with a violation; built, measured, mutated.
import {execFileSync, spawnSync} from "node:child_process";
import {createHash} from "node:crypto";
import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";

export const hostileName = `<img src=x onerror="document.title='broken'"> & 'quotes' "double" %s \${HOME} \`id\``;

const cmake = `cmake_minimum_required(VERSION 3.25)
project(shop CXX)
enable_testing()
find_package(Morph REQUIRED)
add_library(shop shop.cpp)
target_include_directories(shop PUBLIC .)
add_executable(shop_tests shop_test.cpp)
target_link_libraries(shop_tests shop)
morph_add_suite(shop TARGET shop_tests FRAMEWORK doctest PRODUCTION shop)
morph_add_spec(prices SOURCES prices.spec.cpp LINK shop)
`;

const files = {
  ".gitignore": "build/\n.morph/\n",
  "CMakeLists.txt": cmake,
  "shop.hpp":
    "#pragma once\nint discount(int all);\nint total(int price, int number, bool member);\nbool is_free(int price);\n",
  "shop.cpp": `// Prices with discounts.
#include "shop.hpp"

int discount(int all) {
  if (all > 100) {
    return all / 10;
  }
  return 0;
}

int total(int price, int number, bool member) {
  int sum = price * number;
  if (member) {
    sum -= discount(sum);
  }
  return sum;
}

bool is_free(int price) {
  return price <= 0;
}
`,
  "shop_test.cpp": `#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "shop.hpp"

TEST_CASE("members get a discount") {
  CHECK(total(100, 2, true) == 180);
}
TEST_CASE(${JSON.stringify(hostileName)}) {
  CHECK(total(5, 2, false) == 10);
}
TEST_CASE("latin \\xe9t\\xe9") {
  CHECK(total(1, 1, true) == 1);
}
TEST_CASE("discounts are looked at by no assertion") {
  discount(50);
  discount(200);
}
TEST_CASE("a sum costs what it is") {
  const int sum = total(3, 2, false);
  CHECK(total(sum, 1, false) == sum);
}
TEST_CASE("fails") {
  CHECK(total(1, 1, false) == 2);
}
`,
  "prices.spec.cpp": `#include <morph/morph.hpp>

#include "shop.hpp"

struct order {
  int price;
  int number;
};

MORPH_SPEC(prices, order, int, s) {
  s.execute([](const order& o) { return total(o.price, o.number, true); });
  s.seeds("typical", {{10, 2}, {100, 3}});
  auto swap = s.datamorph("swap", [](order o) { return order{o.number, o.price}; });
  s.relation("price and number are alike", swap, [](auto& m, auto& o) { return m.output == o.output; });
  auto more = s.datamorph("one more", [](order o) { return order{o.price, o.number + 1}; });
  s.relation("one more costs its price", more, [](auto& m, auto& o) { return m.output == o.output + o.input.price; });
}
`,
};

const environment = {...process.env};

export function run(program, words, where, good = [0]) {
  const ended = spawnSync(program, words, {cwd: where, encoding: "utf8", maxBuffer: 1 << 28, env: environment});
  if (!good.includes(ended.status))
    throw new Error(`${program} ${words.join(" ")} ended with ${ended.status}:\n${ended.stdout}\n${ended.stderr}`);
  return ended.stdout;
}

/// {folder, build, json(words...)}: what the command line gives. With reuse, the project of the last run if nothing changed.
export function makeProject(morph, folder, reuse) {
  const build = join(folder, "build");
  const digest = createHash("sha256").update(JSON.stringify(files)).digest("hex");
  const project = {
    folder,
    build,
    json: (...words) => JSON.parse(run(morph, [...words, "--build", build, "--json"], folder, [0, 1])),
  };
  const explain = () => run(morph, ["explain", "--build", build, "--most", "50", "-q"], folder, [0, 1]);
  const mark = join(folder, "build", "ready");
  if (reuse && existsSync(mark) && readFileSync(mark, "utf8") === digest) {
    explain();
    return project;
  }
  rmSync(folder, {recursive: true, force: true});
  mkdirSync(folder, {recursive: true});
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const git = (...words) => execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {cwd: folder});
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "one");
  const options = ["-DMORPH_EVIDENCE=twin", `-DCMAKE_PREFIX_PATH=${dirname(dirname(morph))}`];
  // The same sources are compiled in four trees at each run of the tests.
  environment.CCACHE_DIR = join(dirname(folder), "ccache");
  if (spawnSync("ccache", ["--version"]).status === 0) options.push("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache");
  run("cmake", ["-B", "build", "-G", "Ninja", ...options], folder);
  run("cmake", ["--build", "build"], folder);
  run(morph, ["measure", "--build", build, "-q"], folder);
  writeFileSync(join(folder, "shop.cpp"), files["shop.cpp"].replace("price <= 0", "price < 1"));
  git("commit", "-qam", "two");
  run("cmake", ["--build", "build"], folder);
  run("ctest", ["--test-dir", "build"], folder, [0, 8]);
  run(morph, ["mutate", "--build", build, "-q"], folder);
  explain();
  writeFileSync(mark, digest);
  return project;
}
