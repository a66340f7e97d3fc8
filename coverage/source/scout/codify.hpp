// A relation as a function of its source inputs (MR-Scout, section 3.2).
#pragma once

#include <clang/AST/ASTContext.h>

#include <string>
#include <vector>

#include "coverage/source/scout/reader.hpp"

namespace morph::source::scouting {

struct codified_input {
  std::string name{}, type{};
  std::vector<std::string> examples{};  // what the test has there, as code
};

/// Literals of both calls that stand in the same place.
struct codified_pair {
  std::string name{};   // as the code calls the second call's
  std::string input{};  // the first call's
  std::string type{};
  std::string source{}, follow_up{};  // what the test has there, as code
};

struct codified {
  std::string refused{};  // why there is none; else:
  std::vector<codified_input> inputs{};
  std::string given{};                     // as the code calls the inputs
  std::vector<std::string> lines{};        // of a function that returns a morph::comparison
  std::vector<std::string> scopes{};       // namespaces around it; empty for one without a name
  std::string fixture{};                   // the class that it has to be a member of; empty: none
  bool is_fixture_of_gtest = false;        // SetUp() comes before it
  bool shares_constants = false;           // equal literals, before and behind the first call, are one input
  std::vector<codified_pair> pairs{};      // of calls that share nothing; the code is none without their definitions
  std::vector<std::string> inferred{};     // how one call's input comes of the other's, where the test does not say it
  bool has_framework = false;              // it uses something of the test framework
  std::vector<const clang::Decl*> uses{};  // of the same source
};

/// The statements that the assertion needs, with the constants that the first call is given as inputs. Other
/// assertions go, but conditions that are stopped at stay as guards.
codified codify(const found_relation& of, const reader& reading, const section_path& path, clang::ASTContext& context);

}  // namespace morph::source::scouting
