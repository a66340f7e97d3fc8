// A synthetic project of any size for benchmarks/scale.sh: its sources, its evidence (written through the store's own
// writer), and a change. Everything follows from the seed.
//
//   morph_scale sources FOLDER          a project with that many files, and a test program that lists that many cases
//   morph_scale store BUILD             what a measurement of all tests would have stored; prints what it cost
//   morph_scale change FOLDER           changes 20 lines in 3 files
//   morph_scale probed FOLDER           a project whose test program enters as many functions as the evidence above has
//   morph_scale half FOLDER             changes the function of it that half of the tests enter
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/frameworks/listing.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/store/store.hpp"
#include "plugin/system/files.hpp"

namespace {

namespace fs = std::filesystem;
using namespace morph;
using optimizer::requirement_kind;

constexpr std::uint64_t seed = 20240601;
constexpr std::uint32_t tests = 10'000;
constexpr std::uint32_t files = 1'000;
constexpr std::uint32_t functions_a_file = 10;
constexpr std::uint32_t blocks_a_function = 10;
constexpr std::uint32_t lines_a_block = 10;
constexpr std::uint32_t files_a_module = 20;
constexpr std::uint32_t functions = files * functions_a_file;
constexpr std::uint32_t blocks = functions * blocks_a_function;
constexpr std::uint32_t modules = files / files_a_module;
constexpr std::uint32_t tests_a_module = tests / modules;

// A comment before each block, so that executable lines have gaps; then a closing brace and an empty line.
constexpr std::uint32_t text_lines_a_function = blocks_a_function * (lines_a_block + 1) + 2;

std::uint32_t line_number(std::uint32_t function_in_file, std::uint32_t block_in_function,
                          std::uint32_t line_in_block) {
  return 1 + function_in_file * text_lines_a_function + block_in_function * (lines_a_block + 1) + 1 + line_in_block;
}

std::string file_name(std::uint32_t file) {
  return fmt::format("src/module{:02}/file{:03}.cpp", file / files_a_module, file);
}

/// splitmix64: the same numbers with every compiler and library.
class generator {
 public:
  explicit generator(std::uint64_t state) : state_(state) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>((next() >> 32) * end >> 32); }

 private:
  std::uint64_t state_;
};

/// Which blocks each test executes. A function belongs to a module whose tests run it most; few functions are run by
/// many tests and many by few (the number falls with the 0.6th power of the rank); tests take different ways through a
/// function.
std::vector<std::vector<std::uint32_t>> executed_blocks() {
  std::vector<std::vector<std::uint32_t>> of_test(tests);
  std::vector<std::uint32_t> last_seen(tests, functions);
  generator random(seed);
  std::vector<std::uint32_t> ranks(functions);
  for (std::uint32_t f = 0; f < functions; ++f) ranks[f] = f;
  for (std::uint32_t f = functions; f > 1; --f) std::swap(ranks[f - 1], ranks[random.below(f)]);
  for (std::uint32_t f = 0; f < functions; ++f) {
    // 127 * (functions / rank)^0.6 in whole numbers: the same on every machine.
    double users = 127;
    for (std::uint32_t r = ranks[f] + 1; r * 2 <= functions; r *= 2) users *= 1.5157;
    const auto wanted = std::min(static_cast<std::uint32_t>(users), tests * 8 / 10);
    const std::uint32_t module = f / functions_a_file / files_a_module;
    std::vector<std::uint32_t> taken_in_256(blocks_a_function, 256);
    for (std::uint32_t b = 1; b < blocks_a_function; ++b) taken_in_256[b] = 30 + random.below(220);
    for (std::uint32_t found = 0, tries = 0; found < wanted && tries < 8 * wanted; ++tries) {
      const bool own = random.below(10) < 7 && found < tests_a_module / 2;
      const std::uint32_t test = own ? module * tests_a_module + random.below(tests_a_module) : random.below(tests);
      if (last_seen[test] == f) continue;
      last_seen[test] = f;
      ++found;
      for (std::uint32_t b = 0; b < blocks_a_function; ++b)
        if (random.below(256) < taken_in_256[b]) of_test[test].push_back(f * blocks_a_function + b);
    }
  }
  return of_test;
}

template <typename Value>
Value value_of(result<Value> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "{}\n", result.error());
  std::exit(1);
}

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  if (auto written = system::write_file_atomically(path, text); !written) {
    fmt::print(stderr, "{}\n", written.error());
    std::exit(1);
  }
}

void write_sources(const fs::path& folder) {
  for (std::uint32_t file = 0; file < files; ++file) {
    std::string text = "// one of many\n";
    for (std::uint32_t f = 0; f < functions_a_file; ++f) {
      for (std::uint32_t b = 0; b < blocks_a_function; ++b) {
        text += fmt::format("  // block {}\n", b);
        for (std::uint32_t i = 0; i < lines_a_block; ++i)
          text += b == 0 && i == 0 ? fmt::format("int f{}_{}(int x) {{\n", file, f)
                                   : fmt::format("  x += {};\n", (file * 31 + f * 17 + b * 7 + i) % 1000);
      }
      text += "}\n\n";
    }
    write(folder / file_name(file), text);
  }
  write(folder / "tests.cpp", fmt::format(R"(#include <gtest/gtest.h>

class Case : public testing::TestWithParam<int> {{}};
TEST_P(Case, Runs) {{}}
INSTANTIATE_TEST_SUITE_P(Every, Case, testing::Range(0, {}));
)",
                                          tests));
  // The sources are not compiled: their evidence is made up.
  write(folder / "CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(scale CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_executable(scale_tests tests.cpp)
target_link_libraries(scale_tests GTest::gtest_main)
morph_add_suite(scale TARGET scale_tests)
)");
  write(folder / ".gitignore", "/build/\n/.morph/\n");
}

void change_sources(const fs::path& folder) {
  std::uint32_t changed = 0;
  for (const std::uint32_t file : {100U, 500U, 900U}) {
    const fs::path path = folder / file_name(file);
    std::string text = value_of(system::read_file(path));
    std::size_t at = 0;
    for (std::uint32_t line = 1; !text.empty() && at != std::string::npos; ++line) {
      for (std::uint32_t i = 0; i < 7; ++i)
        if (line == line_number(i * 3 % 7, i, 4) && changed < 20) {
          text[text.find('+', at)] = '-';
          ++changed;
        }
      at = text.find('\n', at);
      if (at != std::string::npos) ++at;
    }
    write(path, text);
  }
  fmt::print("{} lines changed\n", changed);
}

/// By how many tests a function is entered falls with the 0.6th power of its rank, as above; here the program itself
/// draws who enters what, so that ctest's own run can record it.
constexpr const char* probed_tests = R"(#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "functions.hpp"

static std::uint32_t drawn(std::uint64_t z) {{
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 32);
}}

static double share_of(std::uint32_t function) {{
  const double rank = function * {}U % {}U + 1;
  return std::min(0.0127 * std::pow({} / rank, 0.6), 0.8);
}}

class Case : public testing::TestWithParam<int> {{}};
TEST_P(Case, Runs) {{
  const auto test = static_cast<std::uint64_t>(GetParam());
  int sum = 0;
  for (std::uint32_t f = 0; f < {}; ++f)
    if (drawn(test << 32 | (f + 1)) < share_of(f) * 4294967295.0) sum += functions[f](1);
  EXPECT_NE(sum, -1);
}}
INSTANTIATE_TEST_SUITE_P(Every, Case, testing::Range(0, {}));
)";
constexpr std::uint32_t rank_step = 7919;  // a prime that does not divide the number of functions

void write_probed(const fs::path& folder) {
  std::string declared = "#pragma once\n\n", list = "constexpr int (*functions[])(int) = {\n";
  for (std::uint32_t file = 0; file < files; ++file) {
    std::string text = "// one of many\n";
    for (std::uint32_t f = 0; f < functions_a_file; ++f) {
      text += fmt::format("int f{}_{}(int x) {{\n  return x + {};\n}}\n\n", file, f, (file * 31 + f * 17) % 1000);
      declared += fmt::format("int f{}_{}(int);\n", file, f);
      list += fmt::format("  f{}_{},\n", file, f);
    }
    write(folder / file_name(file), text);
  }
  write(folder / "functions.hpp", declared + '\n' + list + "};\n");
  write(folder / "tests.cpp",
        fmt::format(fmt::runtime(probed_tests), rank_step, functions, double{functions}, functions, tests));
  write(folder / "CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(scale CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
file(GLOB_RECURSE sources src/*.cpp)
add_executable(scale_tests tests.cpp ${sources})
target_link_libraries(scale_tests GTest::gtest_main)
morph_add_suite(scale TARGET scale_tests)
)");
  write(folder / ".gitignore", "/build/\n/.morph/\n");
}

void change_half(const fs::path& folder) {
  constexpr std::uint32_t rank_of_half = 22;  // 0.0127 * (10,000 / 22) ^ 0.6 = 0.5
  std::uint32_t function = 0;
  while (function * rank_step % functions + 1 != rank_of_half) ++function;
  const fs::path path = folder / file_name(function / functions_a_file);
  std::string text = value_of(system::read_file(path));
  const std::size_t at = text.find(fmt::format("_{}(int x)", function % functions_a_file));
  text[text.find('+', at)] = '-';
  write(path, text);
}

double cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// Time spent in the store.
class stopwatch {
 public:
  template <typename Action>
  void during(Action action) {
    const auto started = std::chrono::steady_clock::now();
    const double cpu_before = cpu_seconds();
    action();
    wall += std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    cpu += cpu_seconds() - cpu_before;
  }
  double wall = 0, cpu = 0;
};

void write_store(const fs::path& build) {
  const auto tree = value_of(build::read_build_tree(build));
  const auto repository = value_of(git::repository::open(tree.source_dir));
  const auto head = value_of(repository.head());
  const auto& suite = tree.suites.at(0);
  const auto listed = frameworks::list_program(tree, suite, suite.programs.at(0));
  if (listed.cases.size() != tests) {
    fmt::print(stderr, "the program lists {} cases, not {}: {}\n", listed.cases.size(), tests, listed.message);
    std::exit(1);
  }
  const auto of_test = executed_blocks();

  const fs::path path = tree.source_dir / ".morph/evidence.db";
  fs::remove(path);
  auto evidence = value_of(store::evidence_store::open_for_writing(path.string()));
  stopwatch watch;
  std::uint64_t pairs = 0;
  {
    auto writer = value_of(evidence.begin({head.commit, head.tree, {}}, tree.configuration, 1'700'000'000));
    watch.during([&] {
      const std::uint32_t header = writer.file("src/common.hpp");
      for (std::uint32_t file = 0; file < files; ++file) {
        const std::uint32_t id = writer.file(file_name(file));
        std::vector<std::uint32_t> lines;
        for (std::uint32_t f = 0; f < functions_a_file; ++f) {
          const std::uint32_t first = line_number(f, 0, 0);
          writer.function({fmt::format("_Z{}f{}_{}i", fmt::formatted_size("f{}_{}", file, f), file, f), id, first,
                           first + text_lines_a_function - 3, false});
          for (std::uint32_t b = 0; b < blocks_a_function; ++b)
            for (std::uint32_t i = 0; i < lines_a_block; ++i) lines.push_back(line_number(f, b, i));
        }
        writer.set_executable_lines(id, lines);
        writer.unit({file_name(file) + ".o", id, {header, id}, false});
      }
    });
    const std::uint32_t program = writer.program({suite.name, suite.programs[0].target});
    std::vector<store::element> elements;
    std::vector<store::element> called, compiled;
    store::measured_test facts;
    facts.measured = true;
    writer.put_row(writer.test(program, "", ""), facts, elements);
    for (std::uint32_t t = 0; t < tests; ++t) {
      elements.clear();
      called.clear();
      compiled.clear();
      for (const std::uint32_t block : of_test[t]) {
        const std::uint32_t function = block / blocks_a_function, file = function / functions_a_file;
        for (std::uint32_t i = 0; i < lines_a_block; ++i)
          elements.push_back(
              store::make_element(requirement_kind::line, file + 1,
                                  line_number(function % functions_a_file, block % blocks_a_function, i)));
        const auto f = store::make_element(requirement_kind::function, 0, function);
        const auto u = store::make_element(requirement_kind::unit, 0, file);
        if (called.empty() || called.back() != f) called.push_back(f);
        if (compiled.empty() || compiled.back() != u) compiled.push_back(u);
      }
      pairs += elements.size();
      elements.insert(elements.end(), called.begin(), called.end());
      elements.insert(elements.end(), compiled.begin(), compiled.end());
      facts.wall_us = 1000 + t % 97 * 100;
      facts.cpu_us = facts.wall_us;
      watch.during([&] {
        const auto& c = listed.cases[t];
        writer.put_row(writer.test(program, c.case_name, c.name), facts, elements);
        if (t % 64 == 63) writer.checkpoint();
      });
    }
    watch.during([&] { writer.finish(); });
  }
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto facts = value_of(evidence.load(value_of(evidence.measurements()).front().id));
  std::uint64_t classes = 0;
  for (const auto& c : facts.classes)
    classes += std::any_of(c.elements.begin(), c.elements.end(),
                           [](auto x) { return store::kind_of(x) == requirement_kind::line; });
  const auto bytes = static_cast<double>(fs::file_size(path));
  constexpr double lines = double{blocks} * lines_a_block;
  fmt::print(
      "{{\"tests\": {}, \"lines\": {}, \"density\": {:.5f}, \"line_classes\": {}, \"pairs\": {}, \"ingest_s\": {:.3f}, "
      "\"ingest_cpu_s\": {:.3f}, \"peak_mb\": {:.1f}, \"mb\": {:.2f}, \"bytes_a_pair\": {:.4f}}}\n",
      tests, lines, static_cast<double>(pairs) / lines / tests, classes, pairs, watch.wall, watch.cpu,
      static_cast<double>(used.ru_maxrss) / 1024, bytes / 1e6, bytes / static_cast<double>(pairs));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc == 3 ? argv[1] : "";
  if (what == "sources") {
    write_sources(argv[2]);
  } else if (what == "store") {
    write_store(argv[2]);
  } else if (what == "change") {
    change_sources(argv[2]);
  } else if (what == "probed") {
    write_probed(argv[2]);
  } else if (what == "half") {
    change_half(argv[2]);
  } else {
    fmt::print(stderr, "usage: morph_scale sources|change|probed|half FOLDER | store BUILD\n");
    return 2;
  }
  return 0;
}
