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

struct unit {
  std::multiset<std::tuple<std::string, std::uint32_t, std::int64_t>> counts;
  std::multiset<std::tuple<std::string, std::uint32_t, std::vector<outcome>>> branches;
  std::set<place> executable, executed;
  std::set<std::tuple<std::string, std::uint32_t, std::int64_t>> functions;

  void add_line(const std::string& path, std::uint32_t line, std::int64_t count, std::vector<outcome> taken) {
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
      result.add_line(path, line.at("line_number").get<std::uint32_t>(), line.at("count").get<std::int64_t>(),
                      std::move(branches));
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
    result.add_line(paths[line.file], line.line, line.count, std::move(branches));
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
    for (std::uint32_t i = 0; i < function.values.size(); ++i) {
      if (function.values[i] != 0) row.push_back({next_id + i, function.values[i]});
    }
    next_id += function.counters;
  }
  return module;
}

}  // namespace gcov_answers

#endif
