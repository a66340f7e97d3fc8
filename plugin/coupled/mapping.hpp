// Which outcomes of branches in the evidence are the outcomes of conditions that Clang sees.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <vector>

#include "plugin/store/evidence.hpp"

namespace morph::coupled {

/// By outcome of a site: the number of the line's branch, below store::branches_of_line; nothing where it is not sure.
struct site_numbers {
  std::uint32_t line = 0;
  std::vector<std::optional<std::uint32_t>> of_outcome{};
};

/// How the compiled functions of one file decide on their lines.
class file_decisions {
 public:
  explicit file_decisions(const std::vector<store::packed_way>& ways);

  struct line_decisions {
    std::vector<std::vector<std::optional<std::uint32_t>>> numbers;  // of each decision, by rank; counted ones alone
    bool by_clang = false;
  };
  /// Of the function that begins at a line, on a line; nothing if its instances, or other functions, contradict.
  std::optional<line_decisions> at(std::uint32_t function_line, std::uint32_t line) const;

 private:
  using key = std::pair<std::uint32_t, std::uint32_t>;
  std::map<key, std::vector<store::decision_way>> ways_;
  std::set<key> shared_;  // another function has some of the same numbers
};

/// Of each site of a function, as `morph-source` writes it for its task "branches".
std::vector<site_numbers> map_sites(const nlohmann::json& function, const file_decisions& compiled);

}  // namespace morph::coupled
