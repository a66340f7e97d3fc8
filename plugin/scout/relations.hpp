// Relations of a project's tests, as `morph-source` finds them.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace morph::scout {

/// A call of what the project declares outside of its tests.
struct invocation {
  std::string text{};    // as it is written
  std::string callee{};  // with its namespaces
  std::string file{};    // from the root of the project
  unsigned line = 0;
  std::vector<std::string> units{};   // classes, and of a free function its header
  std::vector<std::string> inputs{};  // as they are written, the receiver first
};

/// An input of a function, with what the test has in its place, as code.
struct function_input {
  std::string name{}, type{};
  std::vector<std::string> examples{};
};

/// Literals that two calls are given in the same place, where nothing else connects the calls.
struct literal_pair {
  std::string name{};                 // as the lines call the second call's; they do not declare it
  std::string input{};                // the first call's
  std::string type{};                 // of both
  std::string source{}, follow_up{};  // what the test has there, as code
};

/// A relation as a function of its inputs that returns a morph::comparison (MR-Scout, section 3.2).
struct relation_function {
  std::vector<function_input> inputs{};
  std::string given{};                  // as the lines call the inputs
  std::vector<std::string> lines{};     // the body
  std::vector<std::string> scopes{};    // namespaces around it; empty for one without a name
  std::string fixture{};                // the class that it is to be a member of; empty: none
  bool is_fixture_of_gtest = false;     // it has SetUp() and the like
  bool has_framework = false;           // it names something of the test framework
  std::vector<literal_pair> pairs{};    // until infer_follow_ups() has declared them
  std::vector<std::string> inferred{};  // what it has found out, a sentence each
  std::vector<std::size_t> uses{};      // declarations of the source
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
  bool is_across = false;        // the calls have no unit in common
  std::string transformation{};  // none, identity, state, computed: how inputs of the second come from the first
  invocation first{}, second{};
  std::optional<relation_function> function{};
  std::string no_function{};         // why there is none
  std::vector<std::size_t> stops{};  // bytes of its source in front of both calls and of itself; empty: not known
  std::string unseen{};              // why a run of its test could not show it

  std::string unit() const;  // that both belong to; of two units "one -> other"
};

struct section {
  std::string name{};
  unsigned line = 0;
};

/// Of a file from the root of the project.
struct line_range {
  std::string file{};
  unsigned first = 0, last = 0;
};

/// A test along one path of its sections.
struct test {
  std::string name{};
  std::string file{};
  unsigned line = 0, end_line = 0;
  std::string framework{};
  bool is_asked = true;                                       // else it is known for what it says of others
  std::optional<std::pair<std::size_t, std::size_t>> body{};  // bytes, if it stands in the source itself
  std::vector<line_range> helpers{};  // functions of the tests that it calls, as far as they were read
  std::vector<section> sections{};
  std::vector<relation> relations{};
};

/// A relation that a run of its test did not show: the calls were not made, or not in front of the assertion.
struct refuted_relation {
  std::string test{};
  relation of{};
  std::string why{};
};

struct source_part {
  std::string text{};
  std::vector<std::string> scopes{};
  unsigned line = 0;
};

/// What functions of relations need of the source that they come from.
struct source_parts {
  std::vector<std::string> includes{};
  std::vector<std::pair<std::string, std::string>> macros{};  // name, text
  std::vector<source_part> usings{}, declarations{};
};
source_parts parts_of(const nlohmann::json& answer);

/// Of an answer for the task "scout"; files from `root`.
std::vector<test> tests_of(const nlohmann::json& answer, const std::string& root);

}  // namespace morph::scout
