// Violated relations in what tests print.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace morph::summary {

struct violated_relation {
  std::string test{};  // ctest name of the test, or of the entry that ran it
  std::string spec{}, relation{};
  std::string replay{};  // a command; empty where a host runs the spec

  bool operator==(const violated_relation&) const = default;
};

/// As programs of specs report them, each once; without the test.
std::vector<violated_relation> violations_in(std::string_view output);

}  // namespace morph::summary
