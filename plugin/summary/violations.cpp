// Finding them line by line.
#include "plugin/summary/violations.hpp"

#include <algorithm>
#include <optional>

#include "plugin/system/lines.hpp"

namespace morph::summary {
namespace {

/// `halves: "one more" is violated by add two`
std::optional<violated_relation> violation_of(std::string_view line) {
  const auto quote = line.find(": \""), end = line.find("\" is violated");
  if (quote == line.npos || end == line.npos || end < quote + 3) return std::nullopt;
  return violated_relation{.spec = std::string(line.substr(0, quote)),
                           .relation = std::string(line.substr(quote + 3, end - quote - 3))};
}

}  // namespace

std::vector<violated_relation> violations_in(std::string_view output) {
  constexpr std::string_view replay = "  replay: ";
  std::vector<violated_relation> all;
  while (!output.empty()) {
    const std::string_view line = system::next_line(output);
    if (auto found = violation_of(line))
      all.push_back(std::move(*found));
    else if (line.starts_with(replay) && !all.empty() && all.back().replay.empty())
      all.back().replay = line.substr(replay.size());
  }
  std::vector<violated_relation> distinct;
  for (violated_relation& each : all)
    if (std::ranges::find(distinct, each) == distinct.end()) distinct.push_back(std::move(each));
  return distinct;
}

}  // namespace morph::summary
