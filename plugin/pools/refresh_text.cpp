// What became of refreshed pools: text and JSON.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "plugin/contract/formats.hpp"
#include "plugin/pools/refresh.hpp"

namespace morph::pools {
namespace {

using frameworks::pool_line;
using nlohmann::json;

constexpr std::size_t shown_lines = 10, longest_input = 60;

json lines_json(const std::vector<pool_line>& lines) {
  json list = json::array();
  for (const pool_line& line : lines)
    list.push_back({{"id", line.id}, {"by", line.by}, {"in", line.input}, {"violates", !line.violated.empty()}});
  return list;
}

std::string lines_text(const char* what, const std::vector<pool_line>& lines) {
  if (lines.empty()) return {};
  std::string text = fmt::format("{} {}\n", lines.size(), what);
  for (std::size_t i = 0; i < std::min(shown_lines, lines.size()); ++i) {
    std::string input = lines[i].input;
    if (input.size() > longest_input) input = input.substr(0, longest_input - 3) + "...";
    text += fmt::format("  {}  {}  {}\n", lines[i].id, lines[i].by, input);
  }
  if (lines.size() > shown_lines) text += fmt::format("  ... and {} more (--json)\n", lines.size() - shown_lines);
  return text;
}

}  // namespace

std::string as_text(const refreshed& of) {
  std::string text =
      fmt::format("{}: {} of {} cases {}\n", of.pool, of.cases, of.explored, of.is_written ? "stay" : "would stay");
  text += fmt::format("  {} cover all {} lines and branches and apply the relations alike{}\n", of.enough, of.covered,
                      of.is_proven ? "; no fewer do" : fmt::format("; no fewer than {} can", of.bound));
  if (of.violating > 0)
    text += fmt::format(
        "  {} violate a relation, or did{}\n", of.violating,
        of.left_violations > 0 ? fmt::format("; {} more of the same kinds are left out", of.left_violations) : "");
  if (of.unmeasured > 0) text += fmt::format("  {} were not measured\n", of.unmeasured);
  if (of.came.empty() && of.went.empty()) text += "nothing came or went\n";
  text += lines_text("came", of.came) + lines_text("went", of.went);
  if (of.stale > 0) text += fmt::format("{} of them were made by what the spec does not have any more\n", of.stale);
  return text;
}

std::string as_json(const std::vector<refreshed>& all) {
  json pools = json::array();
  for (const refreshed& of : all)
    pools.push_back({{"suite", of.suite},
                     {"pool", of.pool},
                     {"explored", of.explored},
                     {"cases", of.cases},
                     {"violating", of.violating},
                     {"unmeasured", of.unmeasured},
                     {"covered", of.covered},
                     {"proven", of.is_proven},
                     {"written", of.is_written},
                     {"came", lines_json(of.came)},
                     {"went", lines_json(of.went)}});
  return json{{"schema", contract::refresh_schema}, {"pools", std::move(pools)}}.dump(1, ' ', false,
                                                                                      json::error_handler_t::replace);
}

}  // namespace morph::pools
