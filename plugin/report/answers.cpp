// Finding and printing answers.
#include "plugin/report/answers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "plugin/contract/formats.hpp"
#include "plugin/system/counted.hpp"

namespace morph::report {

std::vector<git::line_range> ranges_of(const std::vector<std::uint32_t>& lines) {
  std::vector<git::line_range> ranges;
  for (std::uint32_t line : lines)
    if (!ranges.empty() && ranges.back().last + 1 == line)
      ranges.back().last = line;
    else
      ranges.push_back({line, line});
  return ranges;
}

namespace {

using nlohmann::json;

/// "4-6, 9"
std::string ranges_text(const std::vector<std::uint32_t>& lines) {
  std::vector<std::string> texts;
  for (const git::line_range& r : ranges_of(lines))
    texts.push_back(r.first == r.last ? fmt::format("{}", r.first) : fmt::format("{}-{}", r.first, r.last));
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// What one test ran of one file.
struct part {
  const reported_file* file;
  std::vector<std::uint32_t> lines;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> branches;           // line, number
  std::vector<std::tuple<std::uint32_t, std::uint32_t, bool>> conditions;  // line, term, value
  std::vector<std::string> functions;
};

std::vector<part> parts_of(const coverage& c, std::uint32_t test) {
  const std::vector<bool> was_run = sets_with(c, test);
  std::vector<part> parts;
  for (const auto& file : c.files) {
    part ran{&file, {}, {}, {}, {}};
    for (const auto& line : file.lines) {
      if (was_run[line.tests]) ran.lines.push_back(line.number);
      for (const auto& branch : line.branches)
        if (was_run[branch.tests]) ran.branches.emplace_back(line.number, branch.number);
      for (const auto& outcome : line.conditions) {
        const auto [term, value] = decision_of(outcome.number);
        if (was_run[outcome.tests]) ran.conditions.emplace_back(line.number, term, value);
      }
    }
    for (const auto& f : file.functions)
      if (was_run[f.tests]) ran.functions.push_back(f.name);
    if (!ran.lines.empty() || !ran.functions.empty()) parts.push_back(std::move(ran));
  }
  return parts;
}

std::string notes_text(const coverage& c, const origin& from) {
  std::string text;
  for (const std::string& note : notes_on(c, from)) text += fmt::format("note: {}\n", note);
  return text;
}

const char* name_of(line_state state) {
  switch (state) {
    case line_state::run:
      return "run";
    case line_state::not_run:
      return "not-run";
    case line_state::not_executable:
      return "not-executable";
    case line_state::unknown:
      return "unknown";
    case line_state::no_counters:
      return "no-counters";
    case line_state::in_no_program:
      return "in-no-program";
  }
  return "";
}

constexpr const char* no_counters_text = "is compiled without counters, or for a program that the build runs";
constexpr const char* in_no_program_text = "is part of no measured program";

std::string text_of(line_state state) {
  switch (state) {
    case line_state::run:
      return "is run by";
    case line_state::not_run:
      return "can run, but no test runs it";
    case line_state::not_executable:
      return "is not executable: no code was compiled for it in any measured program";
    case line_state::unknown:
      return "changed since the measurement; `morph measure` measures this content";
    case line_state::no_counters:
      return fmt::format("is not known: the file {}", no_counters_text);
    case line_state::in_no_program:
      return fmt::format("is not known: the file {}", in_no_program_text);
  }
  return {};
}

bool has_counters(const coverage& c, const std::string& path) {
  return !std::binary_search(c.without_counters.begin(), c.without_counters.end(), path);
}

}  // namespace

// ---- one test

std::string tests_as_text(const coverage& c, const origin& from, std::span<const std::uint32_t> tests) {
  std::string text = notes_text(c, from);
  const bool has_conditions =
      std::any_of(c.files.begin(), c.files.end(), [](const auto& file) { return tally_of(file).conditions.total > 0; });
  for (std::uint32_t test : tests) {
    const reported_test& t = c.tests[test];
    const std::vector<part> parts = parts_of(c, test);
    std::size_t lines = 0, branches = 0, conditions = 0, functions = 0;
    for (const part& p : parts) {
      lines += p.lines.size();
      branches += p.branches.size();
      conditions += p.conditions.size();
      functions += p.functions.size();
    }
    text += fmt::format("{} (suite {}): ", t.facts.name, t.suite);
    const std::string decided =
        has_conditions ? system::counted(conditions, "outcome of conditions", "outcomes of conditions") + ", " : "";
    text += t.facts.measured
                ? fmt::format("{}, {}, {}{}, {}", system::counted(lines, "line"),
                              system::counted(branches, "branch", "branches"), decided,
                              system::counted(functions, "function"), system::counted(parts.size(), "file"))
                : std::string("not measured");
    if (const auto why = doubts(t.facts); t.facts.measured && !why.empty())
      text += fmt::format("; it may run more: {}", fmt::join(why, ", "));
    text += '\n';
    for (const part& p : parts) text += fmt::format("  {}: {}\n", p.file->path, ranges_text(p.lines));
  }
  return text;
}

std::string tests_as_json(const coverage& c, const origin& from, std::span<const std::uint32_t> tests) {
  json root = json_head(contract::test_coverage_schema, c, from);
  root["tests"] = json::array();
  for (std::uint32_t test : tests) {
    json files = json::array();
    for (part& p : parts_of(c, test))
      files.push_back({{"path", p.file->path},
                       {"lines", std::move(p.lines)},
                       {"branches", std::move(p.branches)},
                       {"conditions", std::move(p.conditions)},
                       {"functions", std::move(p.functions)}});
    json entry = as_json(c.tests[test]);
    entry["files"] = std::move(files);
    root["tests"].push_back(std::move(entry));
  }
  return dump(root);
}

// ---- one line

line_answer ask_line(const coverage& c, const std::string& path, std::uint32_t line) {
  line_answer answer{path, line, line_state::in_no_program, {}, {}, {}};
  const reported_file* file = c.find(path);
  if (file == nullptr) {
    if (!has_counters(c, path)) answer.state = line_state::no_counters;
    return answer;
  }
  const bool is_unknown = std::any_of(file->unknown.begin(), file->unknown.end(),
                                      [&](const auto& r) { return r.first <= line && line <= r.last; });
  const auto at = std::lower_bound(file->lines.begin(), file->lines.end(), line,
                                   [](const auto& l, std::uint32_t number) { return l.number < number; });
  if (is_unknown) {
    answer.state = line_state::unknown;
  } else if (at == file->lines.end() || at->number != line) {
    answer.state = line_state::not_executable;
  } else {
    answer.tests = c.test_sets[at->tests];
    answer.state = answer.tests.empty() ? line_state::not_run : line_state::run;
    for (const auto& branch : at->branches) answer.branches.push_back({branch.number, c.test_sets[branch.tests]});
    for (const auto& outcome : at->conditions)
      answer.conditions.push_back({outcome.number, c.test_sets[outcome.tests]});
  }
  return answer;
}

std::string line_as_text(const coverage& c, const origin& from, const line_answer& answer) {
  std::string text = notes_text(c, from) + fmt::format("{}:{} {}", answer.path, answer.line, text_of(answer.state));
  if (answer.state == line_state::run) text += fmt::format(" {}:", system::counted(answer.tests.size(), "test"));
  text += '\n';
  for (std::uint32_t test : answer.tests) text += fmt::format("  {}\n", c.tests[test].facts.name);
  const auto list = [&](const std::string& what, const std::vector<std::uint32_t>& tests) {
    text += fmt::format("{} {}", what, tests.empty() ? "no test\n" : "");
    if (!tests.empty()) text += fmt::format("{}:\n", system::counted(tests.size(), "test"));
    for (std::uint32_t test : tests) text += fmt::format("  {}\n", c.tests[test].facts.name);
  };
  for (const auto& branch : answer.branches) list(fmt::format("branch {} is taken by", branch.number), branch.tests);
  for (const auto& outcome : answer.conditions) {
    const auto [term, value] = decision_of(outcome.number);
    list(fmt::format("term {} decides while {} in", term, value), outcome.tests);
  }
  return text;
}

std::string line_as_json(const coverage& c, const origin& from, const line_answer& answer) {
  json root = json_head(contract::line_coverage_schema, c, from);
  root["file"] = answer.path;
  root["line"] = answer.line;
  root["state"] = name_of(answer.state);
  root["tests"] = json::array();
  for (std::uint32_t test : answer.tests) root["tests"].push_back(as_json(c.tests[test]));
  const auto names = [&](const std::vector<std::uint32_t>& tests) {
    json list = json::array();
    for (std::uint32_t test : tests) list.push_back(c.tests[test].facts.name);
    return list;
  };
  root["branches"] = json::array();
  for (const auto& branch : answer.branches)
    root["branches"].push_back({{"number", branch.number}, {"tests", names(branch.tests)}});
  root["conditions"] = json::array();
  for (const auto& outcome : answer.conditions) {
    const auto [term, value] = decision_of(outcome.number);
    root["conditions"].push_back({{"term", term}, {"value", value}, {"tests", names(outcome.tests)}});
  }
  return dump(root);
}

// ---- changed lines

diff_coverage make_diff(const coverage& c, std::span<const changed_lines> changed,
                        const std::function<bool(const std::string& path, std::uint32_t line)>& is_blank) {
  diff_coverage diff;
  for (const changed_lines& change : changed) {
    diff_file file{change.path, {}, {}, {}, {}, {}};
    const reported_file* known = c.find(change.path);
    if (change.whole)
      file.all_unknown = "cannot be compared with the revision by lines";
    else if (known == nullptr && !change.lines.empty())
      file.all_unknown = has_counters(c, change.path) ? in_no_program_text : no_counters_text;
    if (known != nullptr && !change.whole) {
      for (const git::line_range& range : change.lines) {
        const auto begin = std::lower_bound(known->lines.begin(), known->lines.end(), range.first,
                                            [](const auto& l, std::uint32_t number) { return l.number < number; });
        for (auto at = begin; at != known->lines.end() && at->number <= range.last; ++at) {
          (at->tests == nobody ? file.not_run : file.run).push_back(at->number);
          if (at->tests == nobody || at->branches.empty()) continue;
          file.branches.push_back({at->number, {}});
          for (const auto& branch : at->branches) file.branches.back().taken.add(branch.tests);
        }
        for (const git::line_range& unknown : known->unknown)
          for (std::uint32_t line = std::max(range.first, unknown.first); line <= std::min(range.last, unknown.last);
               ++line)
            if (!is_blank(change.path, line)) file.unknown.push_back(line);
      }
    }
    const bool says_something =
        !file.run.empty() || !file.not_run.empty() || !file.unknown.empty() || !file.all_unknown.empty();
    if (says_something) diff.files.push_back(std::move(file));
  }
  std::sort(diff.files.begin(), diff.files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return diff;
}

diff_totals diff_coverage::totals() const {
  diff_totals sum;
  for (const diff_file& file : files) {
    sum.run += file.run.size();
    sum.not_run += file.not_run.size();
    sum.unknown += file.unknown.size();
    for (const auto& line : file.branches) sum.branches += line.taken;
    sum.unknown_files += file.all_unknown.empty() ? 0 : 1;
  }
  return sum;
}

std::string diff_as_text(const coverage& c, const origin& from, const diff_coverage& diff,
                         const std::function<std::string(const std::string& path, std::uint32_t line)>& text_at) {
  std::string text = notes_text(c, from);
  for (const diff_file& file : diff.files) {
    if (!file.all_unknown.empty()) text += fmt::format("{}: not known, it {}\n", file.path, file.all_unknown);
    const auto list = [&](const std::vector<std::uint32_t>& lines, const char* what) {
      for (std::uint32_t line : lines)
        text += fmt::format("{}:{}: {}: {}\n", file.path, line, what, text_at(file.path, line));
    };
    list(file.not_run, "not run");
    list(file.unknown, "not known");
    for (const auto& [line, taken] : file.branches)
      if (taken.hit < taken.total)
        text += fmt::format("{}:{}: {} of {} branches not taken: {}\n", file.path, line, taken.total - taken.hit,
                            taken.total, text_at(file.path, line));
  }
  const diff_totals sum = diff.totals();
  text += fmt::format("since {}: {} of {} changed lines that can run are run by a test", diff.revision, sum.run,
                      sum.run + sum.not_run);
  if (sum.branches.total > 0)
    text += fmt::format("; {} of {} branches are taken", sum.branches.hit, sum.branches.total);
  if (sum.unknown > 0) text += fmt::format("; {} changed after the measurement", sum.unknown);
  if (sum.unknown_files > 0)
    text += fmt::format("; nothing is known of {}", system::counted(sum.unknown_files, "file"));
  return text + "\n";
}

std::string diff_as_json(const coverage& c, const origin& from, const diff_coverage& diff) {
  json root = json_head(contract::diff_coverage_schema, c, from);
  root["since"] = {{"revision", diff.revision}, {"commit", diff.commit}};
  root["files"] = json::array();
  for (const diff_file& file : diff.files) {
    json branches = json::array();
    for (const auto& [line, taken] : file.branches)
      branches.push_back({{"line", line}, {"hit", taken.hit}, {"total", taken.total}});
    root["files"].push_back({{"path", file.path},
                             {"run", file.run},
                             {"not_run", file.not_run},
                             {"branches", std::move(branches)},
                             {"unknown", file.unknown},
                             {"all_unknown", file.all_unknown.empty() ? json(nullptr) : json(file.all_unknown)}});
  }
  const diff_totals sum = diff.totals();
  root["totals"] = {{"run", sum.run},
                    {"not_run", sum.not_run},
                    {"branches", {{"hit", sum.branches.hit}, {"total", sum.branches.total}}},
                    {"unknown", sum.unknown},
                    {"unknown_files", sum.unknown_files}};
  return dump(root);
}

}  // namespace morph::report
