// Tests as a person would write them: sequences with assertions, as C++ for a test framework.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "plugin/generate/literal_text.hpp"
#include "plugin/generate/literals.hpp"
#include "plugin/generate/model.hpp"
#include "plugin/generate/served_program.hpp"

namespace morph::generate {

/// What a test is made of.
struct test_case {
  std::string name{};
  std::string purpose{};  // a comment: the branches that it alone takes
  sequence calls{};
  outcome did{};
  std::vector<observation> asserted{};                 // of `did.observed`
  std::map<std::uint32_t, std::uint32_t> known{};      // calls that gave the object of another call
  std::vector<std::uint32_t> kills{}, kills_anyway{};  // mutants; those that it kills without its assertions
};

struct test_dialect {
  std::string framework = "gtest";  // or catch2, doctest
  std::string suite{};              // a name for all of them
  std::string include{};            // of the framework, with quotes or brackets
};

/// Of every source that is written.
inline constexpr const char* first_line = "// Found by `morph generate`; asserts what the code did then.\n";

/// The lines of one test.
std::string test_text(const test_case& of, const model& in, const literal_table& literals, const test_dialect& as);

/// A whole source.
std::string source_text(const std::vector<test_case>& all, const model& in, const literal_table& literals,
                        const std::vector<std::string>& includes, const test_dialect& as);

}  // namespace morph::generate
