// Counts kills of tests and suites.
#include "plugin/report/mutation_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "plugin/report/tables.hpp"

namespace morph::report {
namespace {

using indices = std::vector<std::uint32_t>;

/// Who kills each mutant that anybody kills, by the rows of a table; ascending.
std::vector<indices> killers_by_row(const mutation_result& result,
                                    const std::unordered_map<std::string, std::uint32_t>& row_of_test) {
  std::vector<indices> mutants;
  for (const mutated_source& file : result.files)
    for (const mutant_result& m : file.mutants) {
      indices rows;
      for (const std::string& test : m.killers)
        if (const auto row = row_of_test.find(test); row != row_of_test.end()) rows.push_back(row->second);
      std::ranges::sort(rows);
      rows.erase(std::ranges::unique(rows).begin(), rows.end());
      if (!rows.empty()) mutants.push_back(std::move(rows));
    }
  return mutants;
}

/// `group_of_row`: of which rows each kill is compared with those of others.
void count_kills(std::vector<kill_row>& rows, const std::vector<indices>& mutants, const indices& group_of_row) {
  std::vector<indices> kills(rows.size());
  std::vector<std::unordered_map<std::uint32_t, std::size_t>> left(mutants.size());  // killers that stay, by group
  for (std::uint32_t m = 0; m < mutants.size(); ++m)
    for (const std::uint32_t row : mutants[m]) {
      kills[row].push_back(m);
      ++left[m][group_of_row[row]];
    }
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    rows[row].kills = kills[row].size();
    rows[row].alone = static_cast<std::size_t>(
        std::ranges::count_if(kills[row], [&](std::uint32_t m) { return left[m][group_of_row[row]] == 1; }));
  }
  indices weakest_first(rows.size());
  std::iota(weakest_first.begin(), weakest_first.end(), 0U);
  std::ranges::stable_sort(weakest_first, {}, [&](std::uint32_t row) { return rows[row].kills; });
  for (const std::uint32_t row : weakest_first) {
    const auto others_kill = [&](std::uint32_t m) { return left[m][group_of_row[row]] > 1; };
    rows[row].is_redundant = std::ranges::all_of(kills[row], others_kill);
    if (!rows[row].is_redundant) continue;
    for (const std::uint32_t m : kills[row]) --left[m][group_of_row[row]];
  }
}

bool is_wanted(const judging_test& test, const std::string& suite) {
  return test.why_left_out.empty() && (suite.empty() || test.suite == suite);
}

}  // namespace

std::vector<kill_row> kills_of_tests(const mutation_result& result, const std::string& suite) {
  std::vector<kill_row> rows;
  indices group_of_row;
  std::unordered_map<std::string, std::uint32_t> row_of_test, group_of_suite;
  for (const judging_test& test : result.tests) {
    if (!is_wanted(test, suite)) continue;
    row_of_test.emplace(test.name, static_cast<std::uint32_t>(rows.size()));
    const auto next = static_cast<std::uint32_t>(group_of_suite.size());
    group_of_row.push_back(group_of_suite.emplace(test.suite, next).first->second);
    rows.push_back({test.name, test.suite});
  }
  count_kills(rows, killers_by_row(result, row_of_test), group_of_row);
  return rows;
}

std::vector<kill_row> kills_of_suites(const mutation_result& result) {
  std::map<std::string, std::uint32_t> row_of_suite;
  for (const judging_test& test : result.tests)
    if (is_wanted(test, {})) row_of_suite.emplace(test.suite, 0);
  std::vector<kill_row> rows;
  for (auto& [suite, row] : row_of_suite) {
    row = static_cast<std::uint32_t>(rows.size());
    rows.push_back({suite, suite});
  }
  std::unordered_map<std::string, std::uint32_t> row_of_test;
  for (const judging_test& test : result.tests)
    if (is_wanted(test, {})) row_of_test.emplace(test.name, row_of_suite.at(test.suite));
  count_kills(rows, killers_by_row(result, row_of_test), indices(rows.size(), 0));
  return rows;
}

std::string kills_as_text(const mutation_result& result, const std::vector<kill_row>& rows, const char* title) {
  std::string text = fmt::format("{:<64} {:>7} {:>7}\n", title, "kills", "alone");
  for (const kill_row& row : rows)
    text += fmt::format("{:<64} {:>7} {:>7}{}\n", on_one_line(row.name), row.kills, row.alone,
                        row.kills == 0     ? "  kills nothing"
                        : row.is_redundant ? "  redundant"
                                           : "");
  if (!result.has_all_killers)
    text += "Only the first killer of a mutant is known: `morph mutate --all-killers` finds all.\n";
  return text;
}

std::string kills_as_csv(const mutation_result& result, const std::string& suite) {
  std::vector<std::string> fields{"file", "line", "column", "operator", "original", "replacement"};
  const std::size_t first = fields.size();
  std::unordered_map<std::string, std::size_t> column_of;
  for (const judging_test& test : result.tests) {
    if (!is_wanted(test, suite)) continue;
    column_of.emplace(test.name, fields.size());
    fields.push_back(as_utf8(test.name));
  }
  std::string text = csv_line(fields);
  for (const mutated_source& file : result.files)
    for (const mutant_result& m : file.mutants) {
      std::fill(fields.begin() + static_cast<std::ptrdiff_t>(first), fields.end(), "0");
      bool is_killed = false;
      for (const std::string& test : m.killers)
        if (const auto column = column_of.find(test); column != column_of.end()) {
          fields[column->second] = "1";
          is_killed = true;
        }
      if (!is_killed) continue;
      fields[0] = as_utf8(file.path);
      fields[1] = std::to_string(m.from.line);
      fields[2] = std::to_string(m.from.column);
      fields[3] = m.op;
      fields[4] = as_utf8(original_of(file, m));
      fields[5] = as_utf8(m.replacement);
      text += csv_line(fields);
    }
  return text;
}

}  // namespace morph::report
