// Writing tracefiles.
#include "plugin/report/tracefiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "plugin/system/json_text.hpp"

namespace morph::report {
namespace {

using nlohmann::json;

/// The names of tests as lcov takes them (it makes an underscore of anything else, and one test of two).
std::vector<std::string> lcov_names(const coverage& c) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const auto& test : c.tests) {
    std::string name = test.facts.name;
    for (char& letter : name)
      if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
    std::string unique = name;
    for (int copy = 2; !taken.insert(unique).second; ++copy) unique = fmt::format("{}_{}", name, copy);
    names.push_back(std::move(unique));
  }
  return names;
}

/// The parts of a section that are the same for each test.
struct file_texts {
  std::string head;                    // SF, FN
  std::vector<std::string> lines;      // "DA:12,"
  std::vector<std::string> functions;  // ",symbol\n"
  std::vector<std::string> branches;   // "BRDA:12,0,1,", those of a line in a row
};

file_texts texts_of(const reported_file& file, const std::string& root) {
  const std::string whole = (std::filesystem::path(root + "/") / file.path).lexically_normal().string();
  file_texts texts{fmt::format("SF:{}\n", whole), {}, {}, {}};
  for (const auto& f : file.functions) {
    texts.head += fmt::format("FN:{},{}\n", f.line, f.symbol);
    texts.functions.push_back(fmt::format(",{}\n", f.symbol));
  }
  for (const auto& line : file.lines) {
    texts.lines.push_back(fmt::format("DA:{},", line.number));
    for (const auto& branch : line.branches)
      texts.branches.push_back(fmt::format("BRDA:{},0,{},", line.number, branch.number));
  }
  return texts;
}

void append_section(std::string& text, const std::string& test, const reported_file& file, const file_texts& texts,
                    const std::vector<bool>& was_run) {
  tally lines, branches, functions;
  fmt::format_to(std::back_inserter(text), "TN:{}\n", test);
  text += texts.head;
  for (std::size_t i = 0; i < file.functions.size(); ++i) {
    const bool hit = was_run[file.functions[i].tests];
    functions += {hit ? 1U : 0U, 1};
    text += hit ? "FNDA:1" : "FNDA:0";
    text += texts.functions[i];
  }
  fmt::format_to(std::back_inserter(text), "FNF:{}\nFNH:{}\n", functions.total, functions.hit);
  for (const auto& line : file.lines)
    for (const auto& branch : line.branches) {
      const bool hit = was_run[branch.tests];
      text += texts.branches[branches.total];
      branches += {hit ? 1U : 0U, 1};
      text += hit ? "1\n" : was_run[line.tests] ? "0\n" : "-\n";
    }
  if (branches.total > 0) fmt::format_to(std::back_inserter(text), "BRF:{}\nBRH:{}\n", branches.total, branches.hit);
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const bool hit = was_run[file.lines[i].tests];
    lines += {hit ? 1U : 0U, 1};
    text += texts.lines[i];
    text += hit ? "1\n" : "0\n";
  }
  fmt::format_to(std::back_inserter(text), "LF:{}\nLH:{}\nend_of_record\n", lines.total, lines.hit);
}

bool is_run(const reported_file& file, const std::vector<bool>& was_run) {
  return std::any_of(file.lines.begin(), file.lines.end(), [&](const auto& line) { return was_run[line.tests]; });
}

}  // namespace

void write_lcov(const coverage& c, const std::string& root, const text_sink& out) {
  std::vector<file_texts> texts;
  for (const auto& file : c.files) texts.push_back(texts_of(file, root));
  const std::vector<std::string> names = lcov_names(c);
  std::string text;
  for (std::uint32_t test = 0; test < c.tests.size(); ++test) {
    const std::vector<bool> was_run = sets_with(c, test);
    text.clear();
    for (std::size_t f = 0; f < c.files.size(); ++f)
      if (is_run(c.files[f], was_run)) append_section(text, names[test], c.files[f], texts[f], was_run);
    out(text);
  }
  std::vector<bool> by_anybody(c.test_sets.size(), true);
  by_anybody[nobody] = false;
  const std::vector<bool> by_nobody(c.test_sets.size(), false);
  for (std::size_t f = 0; f < c.files.size(); ++f) {
    if (!c.files[f].has_code() || is_run(c.files[f], by_anybody)) continue;
    text.clear();
    append_section(text, "", c.files[f], texts[f], by_nobody);
    out(text);
  }
}

void write_gcovr(const coverage& c, const text_sink& out) {
  out(R"({"gcovr/format_version": "0.3", "files": [)");
  const char* separator = "\n";
  for (const auto& file : c.files) {
    if (!file.has_code()) continue;
    json lines = json::array(), functions = json::array();
    for (const auto& line : file.lines) {
      json branches = json::array();
      for (const auto& branch : line.branches)
        branches.push_back({{"count", c.count(branch.tests)}, {"fallthrough", false}, {"throw", false}});
      lines.push_back({{"line_number", line.number},
                       {"count", c.count(line.tests)},
                       {"branches", std::move(branches)},
                       {"gcovr/noncode", false},
                       {"gcovr/excluded", false}});
    }
    std::set<std::string> taken;  // gcovr stops at a name that has two lines
    for (const auto& f : file.functions) {
      const bool is_first = taken.insert(f.name).second;
      functions.push_back({{"name", is_first ? f.name : fmt::format("{} (line {})", f.name, f.line)},
                           {"lineno", f.line},
                           {"execution_count", c.count(f.tests)}});
    }
    out(separator);
    out(json_text(json{{"file", file.path}, {"lines", std::move(lines)}, {"functions", std::move(functions)}}));
    separator = ",\n";
  }
  out("]}\n");
}

}  // namespace morph::report
