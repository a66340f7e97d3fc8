// What gcov says of one unit and what our reader says of it, in a form in which the two can be compared.
#ifndef MORPH_TESTS_GCOV_ANSWERS_HPP
#define MORPH_TESTS_GCOV_ANSWERS_HPP

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tl/expected.hpp>
#include <tuple>
#include <utility>
#include <vector>

#include "coverage/gcov/capture.hpp"
#include "coverage/gcov/data.hpp"
#include "coverage/gcov/gcov_lines.hpp"
#include "coverage/gcov/note.hpp"

namespace gcov_answers {

using place = std::pair<std::string, std::uint32_t>;
using outcome = std::tuple<std::int64_t, bool, bool>;  // count, fallthrough, throw
// Outcomes; of these seen; terms that were not seen to decide when true, and when false.
using condition = std::tuple<std::uint32_t, std::uint32_t, std::vector<std::uint32_t>, std::vector<std::uint32_t>>;

struct unit {
  std::multiset<std::tuple<std::string, std::uint32_t, std::int64_t>> counts;
  std::multiset<std::tuple<std::string, std::uint32_t, std::vector<outcome>>> branches;
  std::multiset<std::tuple<std::string, std::uint32_t, std::vector<condition>>> conditions;
  std::set<place> executable, executed;
  std::set<std::tuple<std::string, std::uint32_t, std::int64_t>> functions;

  void add_line(const std::string& path, std::uint32_t line, std::int64_t count, std::vector<outcome> taken,
                std::vector<condition> decided) {
    if (!decided.empty()) conditions.emplace(path, line, std::move(decided));
    counts.emplace(path, line, count);
    executable.emplace(path, line);
    if (count != 0) executed.emplace(path, line);
    if (!taken.empty()) branches.emplace(path, line, std::move(taken));
  }
};

// One object of `gcov -b --json-format`; throws what nlohmann::json throws if it is not one.
inline unit of_gcov(const nlohmann::json& said) {
  unit result;
  const auto cwd = said.at("current_working_directory").get<std::string>();
  for (const auto& file : said.at("files")) {
    const auto path = morph::gcov::resolved_path(cwd, file.at("file").get<std::string>());
    for (const auto& line : file.at("lines")) {
      std::vector<outcome> branches;
      for (const auto& b : line.at("branches")) {
        branches.emplace_back(b.at("count").get<std::int64_t>(), b.at("fallthrough").get<bool>(),
                              b.at("throw").get<bool>());
      }
      std::vector<condition> conditions;
      for (const auto& c : line.value("conditions", nlohmann::json::array())) {
        conditions.emplace_back(c.at("count").get<std::uint32_t>(), c.at("covered").get<std::uint32_t>(),
                                c.at("not_covered_true").get<std::vector<std::uint32_t>>(),
                                c.at("not_covered_false").get<std::vector<std::uint32_t>>());
      }
      result.add_line(path, line.at("line_number").get<std::uint32_t>(), line.at("count").get<std::int64_t>(),
                      std::move(branches), std::move(conditions));
    }
    for (const auto& function : file.at("functions")) {
      result.functions.emplace(function.at("name").get<std::string>(), function.at("start_line").get<std::uint32_t>(),
                               function.at("execution_count").get<std::int64_t>());
    }
  }
  return result;
}

inline unit of_morph(const morph::gcov::note& notes, const morph::gcov::unit_counts& counts) {
  unit result;
  std::vector<std::string> paths;
  for (const auto& file : notes.files) paths.push_back(morph::gcov::resolved_path(notes.cwd, file));
  for (const auto& line : counts.lines) {
    std::vector<outcome> branches;
    for (const auto& b : line.branches) branches.emplace_back(b.count, b.fall_through, b.is_throw);
    std::vector<condition> conditions;
    for (const auto& c : line.conditions) {
      std::vector<std::uint32_t> not_true, not_false;
      for (std::uint32_t term = 0; term < c.terms; ++term) {
        if ((c.when_true >> term & 1) == 0) not_true.push_back(term);
        if ((c.when_false >> term & 1) == 0) not_false.push_back(term);
      }
      const auto seen = static_cast<std::uint32_t>(2 * c.terms - not_true.size() - not_false.size());
      conditions.emplace_back(2 * c.terms, seen, std::move(not_true), std::move(not_false));
    }
    result.add_line(paths[line.file], line.line, line.count, std::move(branches), std::move(conditions));
  }
  for (const auto& function : counts.functions) {
    const auto& noted = notes.functions[function.function];
    result.functions.emplace(noted.symbol, noted.start_line, function.count);
  }
  return result;
}

// What the runtime would write for this unit, with counter ids from first_id on, and the counters of the whole run.
inline morph::gcov::module_record module_of(const std::string& gcda, std::uint32_t version,
                                            const morph::gcov::data& counters, std::uint32_t& next_id,
                                            std::vector<morph::gcov::counter>& row) {
  morph::gcov::module_record module{gcda, version, counters.stamp, counters.checksum, {}};
  for (const auto& function : counters.functions) {
    module.functions.push_back(
        {function.ident, function.lineno_checksum, function.cfg_checksum, function.counters, next_id});
    const auto add = [&](std::uint32_t number, const std::vector<std::uint64_t>& values) {
      for (std::uint32_t i = 0; i < values.size(); ++i) {
        if (values[i] != 0) row.push_back({next_id + i, values[i]});
      }
      next_id += number;
    };
    add(function.counters, function.values);
    module.functions.back().masks = function.masks;
    module.functions.back().first_mask_id = next_id;
    add(function.masks, function.mask_values);
  }
  return module;
}

}  // namespace gcov_answers

#endif
