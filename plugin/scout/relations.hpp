// Relations of a project's tests, as `morph-source` finds them.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace morph::scout {

/// A call of what the project declares outside of its tests.
struct invocation {
  std::string text{};  // as it is written
  std::string file{};  // from the root of the project
  unsigned line = 0;
  std::vector<std::string> units{};   // classes, and of a free function its header
  std::vector<std::string> inputs{};  // as they are written, the receiver first
};

/// An assertion on two invocations of a unit (MR-Scout, section 2): an input or output of the first, and an output of
/// the second.
struct relation {
  std::string file{};  // of the assertion, which may stand in a helper
  unsigned line = 0;
  std::string text{};
  std::string kind{};            // CompAssert, BoolAssert
  std::string by{};              // ==, <, a function, "near", "matches"
  bool is_echo = false;          // of a literal, which the first was given (figure 2)
  std::string transformation{};  // none, identity, state, computed: how inputs of the second come from the first
  invocation first{}, second{};

  std::string unit() const;  // that both belong to
};

struct section {
  std::string name{};
  unsigned line = 0;
};

/// A test along one path of its sections.
struct test {
  std::string name{};
  std::string file{};
  unsigned line = 0, end_line = 0;
  std::vector<section> sections{};
  std::vector<relation> relations{};
};

/// Of an answer for the task "scout"; files from `root`.
std::vector<test> tests_of(const nlohmann::json& answer, const std::string& root);

}  // namespace morph::scout
