// Questions to Clang, changed files, and regions for editors.
#include "plugin/explain/fix.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "plugin/build/compile_commands.hpp"
#include "plugin/build/compiling.hpp"
#include "plugin/explain/format_lines.hpp"
#include "plugin/explain/test_framework.hpp"
#include "plugin/generate/program.hpp"
#include "plugin/report/mutation.hpp"
#include "plugin/source_reader/header_functions.hpp"
#include "plugin/source_reader/morph_source.hpp"
#include "plugin/system/files.hpp"

namespace morph::explain {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::vector<edit> edits_in(const std::string& source, const std::vector<fix_candidate>& fixes) {
  std::vector<edit> made;
  for (const fix_candidate& each : fixes)
    for (edit& one : edits_of(source, each.where, each.assertion)) made.push_back(std::move(one));
  return made;
}

class fixer {
 public:
  fixer(const build::build_tree& tree, const explained& of, system::observer& told)
      : tree_(tree), of_(of), told_(told), options_(source_reader::header_options(tree.compiler_path)) {}

  result<proposed_fixes> all() {
    asked_ = places_asked(of_.said.explanations);
    if (asked_.empty()) return std::move(made_);
    if (auto read = read_units(); !read) return tl::unexpected(read.error());
    if (auto placed = place(); !placed) return tl::unexpected(placed.error());
    std::vector<std::string> frameworks;
    for (const asked_place& each : asked_) frameworks.push_back(framework_of_tests(tree_, each.file));
    auto found = candidates_for(of_.said.explanations, of_.functions, asked_, placed_, frameworks);
    made_.refused = std::move(found.refused);
    std::map<std::string, std::vector<fix_candidate>> by_file;
    for (fix_candidate& each : fewest(found.candidates)) by_file[each.file].push_back(std::move(each));
    for (const auto& [file, fixes] : by_file) add(file, fixes);
    made_.texts = std::move(texts_);
    return std::move(made_);
  }

 private:
  result<void> read_units() {
    auto all = build::compile_commands_of(tree_);
    if (!all) return tl::unexpected(all.error());
    for (const asked_place& each : asked_) {
      const std::string path = (tree_.source_dir / each.file).lexically_normal().string();
      const auto unit = std::ranges::find_if(
          *all, [&](const build::compile_unit& one) { return fs::path(one.file).lexically_normal() == path; });
      if (unit != all->end()) units_.try_emplace(each.file, *unit);
      if (const auto text = system::read_file(path)) texts_.try_emplace(each.file, *text);
    }
    return {};
  }

  result<void> place() {
    placed_.assign(asked_.size(), {.why_not = "no source of the build tree is that file"});
    std::vector<build::compile_unit> units;
    std::vector<std::vector<std::size_t>> numbers;
    for (const auto& [file, unit] : units_) {
      units.push_back(unit);
      numbers.emplace_back();
      for (std::size_t i = 0; i < asked_.size(); ++i)
        if (asked_[i].file == file) numbers.back().push_back(i);
    }
    if (units.empty()) return {};
    told_.status("reading where assertions can stand");
    json job = source_reader::job_of({"place", options_, tree_.source_dir.string(), tree_.binary_dir.string()}, units);
    for (std::size_t u = 0; u < units.size(); ++u) {
      json asked = json::array();
      for (const std::size_t i : numbers[u])
        asked.push_back(json::array({asked_[i].line, asked_[i].column, asked_[i].expression}));
      job["units"][u]["expressions"] = std::move(asked);
    }
    const fs::path file = tree_.own_dir() / "explain" / fmt::format("place-{}.json", ::getpid());
    const auto answers = source_reader::run_source_program(job, file);
    std::error_code ignored;
    fs::remove(file, ignored);
    if (!answers) return tl::unexpected(answers.error());
    for (const json& line : *answers) {
      const std::size_t unit = line.at("unit");
      const json places = line.value("places", json::array());
      for (std::size_t i = 0; i < places.size(); ++i) placed_[numbers[unit][i]] = placed_of(places[i]);
    }
    return {};
  }

  /// What Clang says against a test's source with these assertions.
  std::string errors_of(const std::string& file, const std::vector<fix_candidate>& fixes) const {
    const std::string path = (tree_.source_dir / file).string();
    const build::compile_unit& unit = units_.at(file);
    std::vector<std::string> flags;
    for (const std::string& each : build::options_of(unit))
      if (!flags.empty() || each.starts_with('-')) flags.push_back(each);
    return source_reader::errors_of_source(path, edited(texts_.at(file), edits_in(texts_.at(file), fixes)).text, flags,
                                           options_);
  }

  /// Statements of which several are replaced, or that overlap, would be torn.
  static bool overlaps(const fix_candidate& one, const fix_candidate& other) {
    using placing = placed_expression::placing;
    const bool is_hoisted = one.where.how == placing::hoist || other.where.how == placing::hoist;
    return is_hoisted && one.where.begin < other.where.end && other.where.begin < one.where.end;
  }

  /// Observations outlive the assertions that were made of them.
  static bool is_there(const std::string& source, const fix_candidate& of) {
    constexpr std::size_t around = 300;
    if (of.where.begin > source.size()) return false;
    const std::size_t from = of.where.begin - std::min<std::size_t>(of.where.begin, around);
    return source.substr(from, of.where.end + around - from).find(of.assertion) != std::string::npos;
  }

  void refuse(const fix_candidate& of, const std::string& why) {
    made_.refused.push_back(fmt::format("{}: no assertion at {}:{}: {}", of.mutants.front(), of.file, of.line, why));
  }

  void add(const std::string& file, const std::vector<fix_candidate>& wanted) {
    std::vector<fix_candidate> taken;
    for (const fix_candidate& each : wanted) {
      if (is_there(texts_.at(file), each)) {
        refuse(each, "it is there already; run `morph mutate` again");
        made_.asserted.insert(each.mutants.begin(), each.mutants.end());
      } else if (std::ranges::any_of(taken, [&](const fix_candidate& one) { return overlaps(one, each); })) {
        refuse(each, "another one changes the same statement");
      } else {
        taken.push_back(each);
      }
    }
    told_.status(fmt::format("checking '{}' with its new assertions", file));
    if (!errors_of(file, taken).empty()) {
      std::vector<fix_candidate> good;
      for (const fix_candidate& each : taken) {
        good.push_back(each);
        const std::string errors = errors_of(file, good);
        if (errors.empty()) continue;
        good.pop_back();
        refuse(each, "Clang says: " + errors.substr(0, errors.find('\n')));
      }
      taken = std::move(good);
    }
    if (taken.empty()) return;
    made_.fixes.insert(made_.fixes.end(), taken.begin(), taken.end());
  }

  const build::build_tree& tree_;
  const explained& of_;
  system::observer& told_;
  std::vector<std::string> options_;
  std::vector<asked_place> asked_;
  std::vector<placed_expression> placed_;
  std::map<std::string, build::compile_unit> units_;
  std::map<std::string, std::string> texts_;
  proposed_fixes made_;
};

}  // namespace

result<proposed_fixes> make_fixes(const build::build_tree& tree, const explained& of, system::observer& told) {
  return fixer(tree, of, told).all();
}

result<generate::proposal> files_with(const build::build_tree& tree, const proposed_fixes& fixes) {
  std::map<std::string, std::vector<fix_candidate>> by_file;
  for (const fix_candidate& each : fixes.fixes) by_file[each.file].push_back(each);
  generate::proposal made;
  for (const auto& [file, all] : by_file) {
    const fs::path path = tree.source_dir / file;
    const auto before = system::read_file(path);
    if (!before) return tl::unexpected(before.error());
    if (const auto read = fixes.texts.find(file); read == fixes.texts.end() || read->second != *before)
      return tl::unexpected(fmt::format("'{}' has changed since it was read; nothing was changed, run it again", file));
    const edited_text after = edited(*before, edits_in(*before, all));
    made.files.push_back(
        {.path = path, .before = *before, .after = formatted_lines(after.text, after.lines, path, tree.source_dir)});
  }
  return made;
}

std::vector<source_fix> regions_of(const proposed_fixes& fixes) {
  std::vector<source_fix> made;
  for (const fix_candidate& of : fixes.fixes) {
    const std::string& text = fixes.texts.at(of.file);
    const report::source_lines lines(text);
    source_fix one{.mutants = of.mutants, .file = of.file};
    for (const edit& each : edits_of(text, of.where, of.assertion)) {
      const auto from = report::in_utf16(lines, lines.at(each.at));
      const auto to = report::in_utf16(lines, lines.at(each.at + each.removed));
      one.replacements.push_back({from.line, from.column, to.line, to.column, each.text});
    }
    made.push_back(std::move(one));
  }
  return made;
}

}  // namespace morph::explain
