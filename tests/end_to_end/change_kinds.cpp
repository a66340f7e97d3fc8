// Kinds of change: their files, the project of all of them, and the comparison with the plan.
#include "change_kinds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tinyxml2.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

constexpr const char* frame_header = R"(#pragma once
#if defined KINDS_gtest
#include <gtest/gtest.h>
#elif defined KINDS_doctest
#include <doctest/doctest.h>
#define TEST(suite, name) TEST_CASE(#suite "." #name)
#else
#include <catch2/catch.hpp>
#define TEST(suite, name) TEST_CASE(#suite "." #name)
#endif
// What a test answers.
void show(long value);
void show(const char* value);
)";

constexpr const char* frame_source = R"(#if defined KINDS_doctest
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#elif defined KINDS_catch2
#define CATCH_CONFIG_MAIN
#endif
#include "corpus.hpp"
#include <cstdio>
void show(long value) {
  std::printf("answer: %ld\n", value);
  std::fflush(stdout);
}
void show(const char* value) {
  std::printf("answer: %s\n", value);
  std::fflush(stdout);
}
)";

constexpr const char* top_lists = R"(cmake_minimum_required(VERSION 3.25)
project(Kinds CXX)
set(CMAKE_CXX_STANDARD 20)
enable_testing()
find_package(Morph REQUIRED)
set(library_of_gtest GTest::gtest_main)
set(library_of_doctest doctest::doctest)
set(library_of_catch2 Catch2::Catch2)
function(kinds_frame framework package)
  find_package(${package} REQUIRED)
  add_library(frame_${framework} STATIC ${PROJECT_SOURCE_DIR}/frame/frame.cpp)
  target_include_directories(frame_${framework} PUBLIC ${PROJECT_SOURCE_DIR}/frame)
  target_compile_definitions(frame_${framework} PUBLIC KINDS_${framework})
  target_link_libraries(frame_${framework} PUBLIC ${library_of_${framework}})
endfunction()
function(kind_targets name framework type)
  add_executable(${name} tests.cpp)
  if(ARGN)
    add_library(${name}_lib ${type} ${ARGN})
    target_link_libraries(${name} PRIVATE ${name}_lib)
  endif()
  target_link_libraries(${name} PRIVATE frame_${framework})
  # Not of the target: what Morph adds to it is then compiled once for all kinds.
  set_source_files_properties(tests.cpp PROPERTIES COMPILE_DEFINITIONS FOLDER="${CMAKE_CURRENT_SOURCE_DIR}")
endfunction()
)";

names words(const std::string& line) {
  std::istringstream in(line);
  names found;
  for (std::string word; in >> word;) found.push_back(word);
  return found;
}

std::string folder_of(const change_kind& kind) {
  return "kinds/" + kind.name + "/";
}

std::string framework_of(const change_kind& kind, const corpus_setting& setting) {
  return kind.framework.empty() ? setting.framework : kind.framework;
}

std::string lists_of(const change_kind& kind, const corpus_setting& setting, bool after) {
  std::string sources;
  for (const auto& file : kind.files)
    if ((after ? file.after : file.before) && file.path.ends_with(".cpp") && file.path != "tests.cpp" && !file.apart)
      sources += " " + file.path;
  const std::string framework = framework_of(kind, setting);
  std::string text = fmt::format("kind_targets({} {} {}{})\n", kind.name, framework, kind.library, sources);
  text += (after ? kind.cmake.after : kind.cmake.before).value_or("");
  std::string production;
  if (!kind.production.empty())
    production = fmt::format(" PRODUCTION {}{}", kind.production, sources.empty() ? "" : " " + kind.name + "_lib");
  return text + fmt::format("morph_add_suite({0} TARGET {0} FRAMEWORK {1} TEST_PREFIX {0}.{2})\n", kind.name, framework,
                            production);
}

/// Writes only what differs, so that nothing else is built again.
void put(const project& p, const std::string& path, const std::optional<std::string>& text) {
  const bool is_there = fs::exists(p.root() / path);
  if (!text && is_there) p.remove(path);
  if (text && (!is_there || p.read(path) != *text)) p.write(path, *text);
}

void put(project& p, const change_kind& kind, const corpus_setting& setting, bool after) {
  for (const auto& file : kind.files) put(p, folder_of(kind) + file.path, after ? file.after : file.before);
  put(p, folder_of(kind) + "CMakeLists.txt", lists_of(kind, setting, after));
  if (kind.environment)
    p.set_variable(kind.environment->name, after ? kind.environment->after : kind.environment->before);
}

void must_build(const project& p) {
  const finished end = p.try_build();
  if (end.exit != 0) throw std::runtime_error("a kind does not compile:\n" + end.both());
}

/// Test -> its verdict and what it showed, each in a process of its own.
std::map<std::string, std::string> answers(const project& p, const std::string& pattern) {
  const fs::path file = p.build_dir() / "answers.xml";
  p.ctest({"-j2", "--timeout", "60", "--output-junit", file.string(), "-R", pattern});
  tinyxml2::XMLDocument document;
  if (document.LoadFile(file.string().c_str()) != tinyxml2::XML_SUCCESS)
    throw std::runtime_error(fmt::format("ctest left no '{}'", file.string()));
  std::map<std::string, std::string> found;
  for (const auto* test = document.RootElement()->FirstChildElement("testcase"); test != nullptr;
       test = test->NextSiblingElement("testcase")) {
    const std::string status = test->Attribute("status");
    std::string& answer = found[test->Attribute("name")] = status;
    const auto* out = test->FirstChildElement("system-out");
    std::istringstream lines(out != nullptr && out->GetText() != nullptr ? out->GetText() : "");
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("answer: ")) answer += "\n" + line;
  }
  return found;
}

kind_outcome compare(const change_kind& kind, const std::set<std::string>& selected,
                     const std::set<std::string>& planned, const std::map<std::string, std::string>& before,
                     const std::map<std::string, std::string>& after) {
  kind_outcome outcome{kind.name, kind.must.size(), kind.must_not.size(), {}, {}, {}, {}};
  const auto answer = [](const auto& of, const std::string& test) {
    const auto at = of.find(test);
    return at == of.end() ? std::string() : at->second;
  };
  const auto full = [&](const std::string& test) {
    const std::string name = kind.name + "." + test;
    if (!planned.contains(name)) throw std::runtime_error(fmt::format("the plan has no test '{}'", name));
    return name;
  };
  for (const auto& test : kind.must) {
    const std::string name = full(test);
    if (!selected.contains(name)) outcome.missed.push_back(name);
    if (answer(before, name) == answer(after, name)) outcome.contradicted.push_back(name);
  }
  for (const auto& test : kind.must_not) {
    const std::string name = full(test);
    if (selected.contains(name)) outcome.too_many.push_back(name);
    if (answer(before, name) != answer(after, name)) outcome.contradicted.push_back(name);
  }
  return outcome;
}

/// The tests that the kind affects and that its program would not be built for.
names missed_before_build(project& p, const change_kind& kind, const corpus_setting& setting) {
  put(p, kind, setting, true);
  const plan_view plan = p.plan({"--before-build"});
  put(p, kind, setting, false);
  const auto has = [](const names& all, const std::string& name) {
    return std::find(all.begin(), all.end(), name) != all.end();
  };
  const names deferred = plan.deferred(), targets = plan.json.at("targets");
  const bool is_built = has(targets, kind.name) || has(targets, "all");
  names missed;
  for (const auto& test : kind.must) {
    const std::string name = kind.name + "." + test;
    if (!is_built || has(deferred, name)) missed.push_back(name);
  }
  return missed;
}

}  // namespace

change_kind read_change_kind(const fs::path& path) {
  change_kind kind;
  kind.name = path.stem();
  std::istringstream lines(read_bytes(path));
  std::getline(lines, kind.what);
  enum { both, before, after } part = both;
  change_kind::file* file = nullptr;
  std::size_t number = 1;
  const auto refuse = [&](const std::string& why) {
    throw std::runtime_error(fmt::format("{}:{}: {}", path.string(), number, why));
  };
  const auto open = [](change_kind::file& f, const names& said) {
    if (std::find(said.begin(), said.end(), "after") == said.end()) f.before.emplace();
    if (std::find(said.begin(), said.end(), "before") == said.end()) f.after.emplace();
    f.apart = std::find(said.begin(), said.end(), "apart") != said.end();
  };
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!line.starts_with('@')) {
      if (file == nullptr) refuse("a line of no file");
      if (part != after && file->before) *file->before += line + "\n";
      if (part != before && file->after) *file->after += line + "\n";
      continue;
    }
    const names said = words(line);
    const std::string& mark = said[0];
    const names rest(said.begin() + 1, said.end());
    const auto one = [&] {
      if (rest.size() != 1) refuse(fmt::format("'{}' needs one word", mark));
      return rest[0];
    };
    if (mark == "@before") {
      part = before;
    } else if (mark == "@after") {
      part = after;
    } else if (mark == "@end") {
      part = both;
    } else if (part != both) {
      refuse("@end is missing");
    } else if (mark == "@file") {
      if (rest.empty()) refuse("@file needs a name");
      kind.files.push_back({rest[0], {}, {}});
      file = &kind.files.back();
      open(*file, rest);
    } else if (mark == "@cmake") {
      file = &kind.cmake;
      open(*file, rest);
    } else if (mark == "@must") {
      kind.must = rest;
    } else if (mark == "@must-not") {
      kind.must_not = rest;
    } else if (mark == "@same") {
      kind.same = true;
    } else if (mark == "@detail") {
      kind.detail = true;
    } else if (mark == "@alone") {
      kind.alone = true;
    } else if (mark == "@framework") {
      kind.framework = one();
    } else if (mark == "@library") {
      kind.library = one();
    } else if (mark == "@production") {
      kind.production = one();
    } else if (mark == "@variable") {
      if (rest.size() != 3) refuse("@variable needs a name and two values");
      kind.environment = {rest[0], rest[1], rest[2]};
    } else {
      refuse(fmt::format("unknown mark '{}'", mark));
    }
  }
  if (part != both) refuse("@end is missing");
  if (kind.same != kind.must.empty()) refuse("either @same or @must");
  return kind;
}

std::vector<change_kind> read_change_kinds(const fs::path& folder) {
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".kind") files.insert(entry.path());
  std::vector<change_kind> kinds;
  for (const auto& file : files) kinds.push_back(read_change_kind(file));
  return kinds;
}

std::vector<kind_outcome> try_change_kinds(const std::vector<change_kind>& kinds, const corpus_setting& setting) {
  workspace space;
  project& p = space.here();
  std::set<std::string> frameworks;
  std::string lists = top_lists, folders;
  for (const auto& kind : kinds) {
    frameworks.insert(framework_of(kind, setting));
    folders += "add_subdirectory(kinds/" + kind.name + ")\n";
    put(p, kind, setting, false);
  }
  for (const auto& framework : frameworks)
    lists += fmt::format("kinds_frame({} {})\n", framework,
                         framework == "gtest"    ? "GTest"
                         : framework == "catch2" ? "Catch2"
                                                 : "doctest");
  p.write("CMakeLists.txt", lists + folders);
  p.write("frame/corpus.hpp", frame_header);
  p.write("frame/frame.cpp", frame_source);
  p.start_repository();
  p.configure({"-DMORPH_EVIDENCE=" + setting.evidence, "-DCMAKE_CXX_COMPILER=" + setting.compiler,
               "-DCMAKE_CXX_FLAGS=" + setting.flags, "-DCatch2_DIR=/usr/lib/cmake/Catch2"});
  must_build(p);
  p.measure();
  const auto before = answers(p, ".");

  std::map<std::string, names> missed_early;
  for (const auto& kind : kinds) missed_early[kind.name] = missed_before_build(p, kind, setting);

  std::map<std::string, kind_outcome> outcomes;
  // Changes what these kinds change; pattern: their tests.
  const auto change = [&](const std::vector<const change_kind*>& changed, const std::string& pattern) {
    for (const auto* kind : changed) put(p, *kind, setting, true);
    p.commit("changes");
    must_build(p);
    const plan_view plan = p.plan();
    const auto after = answers(p, pattern);
    const names in_order = plan.in_order(), deferred = plan.deferred();
    const std::set<std::string> selected(in_order.begin(), in_order.end());
    std::set<std::string> planned(selected);
    planned.insert(deferred.begin(), deferred.end());
    for (const auto* kind : changed) {
      kind_outcome outcome = compare(*kind, selected, planned, before, after);
      outcome.missed_early = missed_early[kind->name];
      if (kind->alone)
        outcome.others = std::count_if(selected.begin(), selected.end(),
                                       [&](const std::string& test) { return !test.starts_with(kind->name + "."); });
      outcomes.emplace(kind->name, outcome);
    }
  };
  std::vector<const change_kind*> together;
  for (const auto& kind : kinds) {
    if (!kind.alone) {
      together.push_back(&kind);
      continue;
    }
    change({&kind}, "^" + kind.name + "\\.");
    put(p, kind, setting, false);
  }
  change(together, ".");

  std::vector<kind_outcome> result;
  for (auto& [name, outcome] : outcomes) result.push_back(std::move(outcome));
  return result;
}

}  // namespace morph::end_to_end
