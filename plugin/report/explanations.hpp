// What `morph explain` last said of mutants, for reports that show it beside them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "plugin/report/mutation.hpp"

namespace morph::report {

struct kept_explanation {
  std::vector<std::string> lines{};   // all of it, as a terminal shows it
  std::vector<std::string> advice{};  // what to do: sentences, with code between back quotes

  bool operator==(const kept_explanation&) const = default;
};

/// By the ids of mutants (mutant_ids()).
using explanations = std::map<std::string, kept_explanation>;

/// Of <build>/.morph/explain/report.json, as far as its mutants are those of the result: the same change of the same
/// line. None if there is no such file, or another version of Morph wrote it.
explanations explanations_in(const std::filesystem::path& path, const mutation_result& result);

}  // namespace morph::report
