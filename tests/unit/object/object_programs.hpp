// Small programs for the tests of object code: written, compiled by real compilers, and read as a unit.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "coverage/object/compare/compare.hpp"
#include "coverage/object/compare/print_cache.hpp"
#include "tests/unit/kept.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::object_tests {

using sources = std::map<std::string, std::string>;

struct way {
  std::string compiler;
  std::string flags;
};

inline std::string name_of(const way& w) {
  std::string name;
  for (const char c : w.compiler + w.flags) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

inline void PrintTo(const way& w, std::ostream* out) {
  *out << w.compiler << w.flags;
}

/// With each, every kind of change is tried.
inline std::vector<way> ways() {
  std::vector<way> all;
  for (const char* const compiler : {"g++", "clang++-19"})
    for (const char* const level : {" -O0", " -O2"}) all.push_back({compiler, level});
  all.push_back({"clang++-14", " -O0"});
  all.push_back({"g++", " -O0 -ffunction-sections -fdata-sections"});
  all.push_back({"g++", " -O1 -fno-pie -no-pie"});
  // No library of that machine is needed.
  all.push_back({"clang++-19", " -O0 --target=aarch64-linux-gnu -ffreestanding"});
  all.push_back({"clang++-19", " -O2 --target=aarch64-linux-gnu -ffreestanding"});
  return all;
}

inline bool is_present(const std::string& compiler) {
  return !test_support::installed(compiler).empty();
}

inline constexpr const char* large_headers[] = {"gtest/gtest.h", "catch2/catch.hpp", "catch2/catch_test_macros.hpp",
                                                "doctest/doctest.h", "iostream"};

/// The header of the Catch2 that is installed.
inline std::string header_of_catch2() {
  return std::filesystem::exists("/usr/include/catch2/catch.hpp") ? "catch2/catch.hpp" : "catch2/catch_test_macros.hpp";
}

class laboratory {
 public:
  explicit laboratory(object::detail how = object::detail::functions) : reader_({}, how) {}

  /// Compiles `name` from that text; both builds have it at the same place.
  std::string object(const way& w, const std::string& name, const std::string& text, const std::string& more = "") {
    const std::string command = w.compiler + w.flags + " -std=c++17 -w " + more, result = name + ".o";
    std::string& made = made_[command + name + text];
    if (!made.empty()) return made;
    const auto at =
        test_support::kept("objects", versions_for(w) + command + name + "\n" + text, [&](const auto& folder) {
          std::ofstream(folder / name) << text;
          run("cd '" + folder.string() + "' && " + command + header_of(w, command, text) + " -c " + name + " -o " +
              result);
        });
    std::filesystem::copy_file(at / result, folder_ / result, std::filesystem::copy_options::overwrite_existing);
    return made = bytes(result);
  }
  void run(const std::string& command) const {
    if (std::system(command.c_str()) != 0) ADD_FAILURE() << "failed: " << command;
  }
  std::string bytes(const std::string& name) const {
    std::ifstream in(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  object::link_unit unit(const way& w, const sources& files, const std::string& more = "",
                         const object::link_options& options = {}) {
    return unit_in_order(w, {files.begin(), files.end()}, more, options);
  }
  object::link_unit unit_in_order(const way& w, const std::vector<std::pair<std::string, std::string>>& files,
                                  const std::string& more = "", const object::link_options& options = {}) {
    std::vector<object::link_item> items;
    for (const auto& [name, text] : files) {
      auto print = reader_.read(object(w, name, text, more), name);
      if (!print) {
        ADD_FAILURE() << print.error();
        continue;
      }
      items.push_back(
          {name + ".o", false, false, {{"", std::make_shared<const object::object_print>(std::move(*print))}}});
    }
    return object::link_unit(std::move(items), options);
  }
  /// Whether who includes <iostream> starts streams; since libstdc++ 13 the library does.
  bool starts_streams(const way& w) {
    return object(w, "streams.cpp", "#include <iostream>\n").find("_ZNSt8ios_base4InitC1Ev") != std::string::npos;
  }
  const test_support::temporary_folder& folder() const { return folder_; }

 private:
  static std::string versions_for(const way& w) {
    std::string all =
        test_support::version_of(test_support::installed(w.compiler)) + test_support::version_of("/usr/include/c++");
    for (const char* const header : large_headers)
      all += test_support::version_of(std::string("/usr/include/") + header);
    return all;
  }
  /// An option for the header that the text begins with, compiled before: the object is the same.
  std::string header_of(const way& w, const std::string& command, const std::string& text) const {
    for (const std::string header : large_headers) {
      const std::string include = "#include <" + header + ">\n";
      if (!text.starts_with(include)) continue;
      // Of GCC, it takes as long as three compilations and spares a third of each.
      if (header == large_headers[0] && w.compiler == "g++" && w.flags != " -O0") continue;
      const auto at = test_support::kept("headers", versions_for(w) + command + include, [&](const auto& folder) {
        std::ofstream(folder / "header.hpp") << include;
        run(command + " -x c++-header '" + (folder / "header.hpp").string() + "' -o '" +
            (folder / "header.hpp.gch").string() + "'");
      });
      return " -include '" + (at / "header.hpp").string() + "'";
    }
    return "";
  }

  test_support::temporary_folder folder_;
  std::map<std::string, std::string> made_;  // objects by what they were made of
  object::object_reader reader_;
};

struct difference {
  std::set<std::string> functions;  // changed ones, demangled, without the suffixes of clones
  bool everything = false;
  std::string text;  // all, for messages
};

inline difference difference_of(const object::comparison& compared) {
  difference found;
  std::ostringstream text;
  for (const object::change& c : compared.changes) {
    text << "  " << object::to_text(c.kind) << " " << c.symbol << " in " << c.object << ": "
         << object::to_text(c.reason) << " " << c.detail << (c.everything ? " (everything)" : "") << "\n";
    found.everything |= c.everything;
    if (c.kind != object::change_kind::function) continue;
    found.functions.insert(object::demangled(object::without_clone_suffix(c.symbol)));
    for (const std::string& other : c.others)
      found.functions.insert(object::demangled(object::without_clone_suffix(other)));
  }
  for (const object::normalization& n : compared.normalized)
    text << "  no change: " << n.symbol << " in " << n.object << ": " << object::to_text(n.rule) << "\n";
  found.text = text.str();
  return found;
}

inline const way unoptimized{"g++", " -O0"};

inline difference between(const way& how, const std::string& before, const std::string& after,
                          const object::compare_options& options = {}) {
  laboratory lab;
  const object::link_unit old_unit = lab.unit(how, {{"a.cpp", before}});
  const object::link_unit new_unit = lab.unit(how, {{"a.cpp", after}});
  return difference_of(compare(old_unit, new_unit, options));
}

// Lines behind the first `first` moved by `by`; every line belongs to every function.
inline object::compare_options moved(std::uint32_t first, std::uint32_t by) {
  object::compare_options options;
  options.is_moved_line = [=](const object::function_name&, std::uint32_t was, std::uint32_t is) {
    return is == (was < first ? was : was + by);
  };
  return options;
}

inline const std::string google_tests = R"(#include <gtest/gtest.h>
#include <string>
int make(int);
int value = make(3);
TEST(A, One) { EXPECT_EQ(value, 6); }
std::string name("name");
TEST(A, Two) { EXPECT_EQ(name, "name"); }
struct F : testing::Test {};
TEST_F(F, Three) { EXPECT_EQ(name.size(), 4U); }
TEST(A, Four) { EXPECT_EQ(1, 1); }
)";

}  // namespace morph::object_tests
