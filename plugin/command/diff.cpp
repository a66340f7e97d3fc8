// morph diff
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "coverage/object/compare/compare.hpp"
#include "coverage/object/compare/print_cache.hpp"
#include "plugin/build/link_lines.hpp"
#include "plugin/build/link_options.hpp"
#include "plugin/changes/code_changes.hpp"
#include "plugin/command/options.hpp"
#include "plugin/contract/exit_codes.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/workspace/baseline.hpp"
#include "plugin/workspace/opened.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;

struct sides {
  std::string before, after;
};

using file_row = changes::link_difference;

/// A build tree and the objects that were read of it.
class side {
 public:
  explicit side(const std::string& folder) : folder_(folder), cache_(fs::path(folder) / ".morph" / "objects") {}

  result<std::map<std::string, build::linked_file>> linked() const {
    auto files = build::linked_files(folder_);
    if (!files) return tl::unexpected(files.error());
    std::map<std::string, build::linked_file> by_path;
    for (build::linked_file& file : *files)
      if (!file.archive) by_path.emplace(file.path, std::move(file));
    return by_path;
  }

  result<object::link_unit> unit(const build::linked_file& file) {
    std::vector<object::link_item> items;
    for (const build::link_input& input : file.inputs) {
      auto known = read_.find(input.path);
      if (known == read_.end()) known = read_.emplace(input.path, cache_.read(folder_ / input.path, input.path)).first;
      if (!known->second) return tl::unexpected(known->second.error());
      items.push_back(*known->second);
      items.back().whole = input.whole;
    }
    object::link_options options = object::link_options::of(file.shared);
    build::link_symbols symbols = build::symbols_of(file.options);
    options.aliases = std::move(symbols.aliases);
    options.wanted = std::move(symbols.wanted);
    options.roots.insert(options.roots.end(), symbols.roots.begin(), symbols.roots.end());
    return object::link_unit(std::move(items), std::move(options));
  }

 private:
  fs::path folder_;
  object::print_cache cache_;
  std::map<std::string, tl::expected<object::link_item, std::string>> read_;
};

file_row compare_file(side& before, const build::linked_file* was, side& after, const build::linked_file* is) {
  file_row row{(was != nullptr ? was : is)->path, {}, {}};
  if (was == nullptr || is == nullptr) {
    row.incomparable = was == nullptr ? "it is new" : "it is not made any more";
    return row;
  }
  const auto old_unit = before.unit(*was);
  const auto new_unit = after.unit(*is);
  if (!old_unit || !new_unit)
    row.incomparable = !old_unit ? old_unit.error() : new_unit.error();
  else
    row.found = compare(*old_unit, *new_unit);
  return row;
}

std::string words_of(const object::change& c) {
  const std::string name = c.symbol.empty() ? c.object : object::demangled(c.symbol);
  std::string text = fmt::format("{} {}: {}", to_text(c.kind), name, to_text(c.reason));
  if (!c.detail.empty()) text += fmt::format(" ({})", c.detail);
  if (!c.symbol.empty()) text += fmt::format("  [{}]", c.object);
  if (c.everything) text += "  every test of the program";
  return text;
}

void print_text(const file_row& row) {
  if (!row.incomparable.empty()) {
    fmt::print("{}: everything counts as changed: {}\n", row.path, row.incomparable);
    return;
  }
  fmt::print("{}: {} of {} functions changed, {} new\n", row.path,
             std::count_if(row.found.changes.begin(), row.found.changes.end(),
                           [](const object::change& c) { return c.kind == object::change_kind::function; }),
             row.found.compared, row.found.added);
  for (const object::change& c : row.found.changes) fmt::print("  {}\n", words_of(c));
  std::map<object::normal_rule, std::size_t> rules;
  for (const object::normalization& n : row.found.normalized) ++rules[n.rule];
  for (const auto& [rule, count] : rules) fmt::print("  no change: {} ({})\n", count, to_text(rule));
}

nlohmann::json json_of(const file_row& row) {
  nlohmann::json changes = nlohmann::json::array(), rules = nlohmann::json::array();
  for (const object::change& c : row.found.changes)
    changes.push_back({{"kind", to_text(c.kind)},
                       {"name", object::demangled(c.symbol)},
                       {"symbol", c.symbol},
                       {"object", c.object},
                       {"reason", to_text(c.reason)},
                       {"detail", c.detail},
                       {"everything", c.everything}});
  for (const object::normalization& n : row.found.normalized)
    rules.push_back({{"rule", to_text(n.rule)}, {"symbol", n.symbol}, {"object", n.object}});
  return {{"file", row.path},
          {"incomparable", row.incomparable},
          {"compared", row.found.compared},
          {"added", row.found.added},
          {"changes", changes},
          {"normalized", rules}};
}

int print(const std::vector<file_row>& rows, const common_options& common) {
  if (common.json) {
    nlohmann::json files = nlohmann::json::array();
    for (const file_row& row : rows) files.push_back(json_of(row));
    fmt::print("{}\n", nlohmann::json{{"schema", contract::diff_schema}, {"files", files}}.dump(2));
    return contract::fine;
  }
  for (const file_row& row : rows) print_text(row);
  return contract::fine;
}

/// The build tree against what was measured.
int run_against_baseline(const common_options& common) {
  const auto tree = open_build_tree(common);
  if (!tree) return contract::environment;
  workspace::surroundings around = workspace::open_surroundings(*tree);
  if (!around.missing.empty()) {
    spdlog::error("{}", around.missing);
    return contract::environment;
  }
  const selection::file_kinds kinds(around.repo->root(), tree->ignore);
  const auto baseline = workspace::find_baseline(*tree, *around.repo, *around.evidence, kinds, {}, false);
  if (!baseline) {
    spdlog::error("{}", baseline.error());
    return contract::environment;
  }
  const auto rows = changes::object_code_differences(*tree, *around.repo, kinds, *around.evidence, *baseline);
  if (!rows) {
    spdlog::error("the object code cannot be compared with that of commit {}: {}", baseline->commit.substr(0, 10),
                  rows.error());
    return contract::environment;
  }
  return print(*rows, common);
}

int run_diff(const sides& given, const common_options& common) {
  if (given.before.empty()) return run_against_baseline(common);
  side before(given.before), after(given.after);
  const auto was = before.linked();
  const auto is = after.linked();
  if (!was || !is) {
    spdlog::error("{}", !was ? was.error() : is.error());
    return contract::environment;
  }
  std::set<std::string> paths;
  // What neither tree has built is nobody's program.
  const auto add_built = [&](const std::string& folder, const std::map<std::string, build::linked_file>& files) {
    for (const auto& [path, file] : files)
      if (std::error_code missing; fs::exists(fs::path(folder) / path, missing)) paths.insert(path);
  };
  add_built(given.before, *was);
  add_built(given.after, *is);
  std::vector<file_row> rows;
  for (const std::string& path : paths) {
    const auto old_file = was->find(path), new_file = is->find(path);
    rows.push_back(compare_file(before, old_file == was->end() ? nullptr : &old_file->second, after,
                                new_file == is->end() ? nullptr : &new_file->second));
  }
  return print(rows, common);
}

}  // namespace

action add_diff(CLI::App& app, const common_options& common) {
  const auto given = std::make_shared<sides>();
  auto* const before = app.add_option("--before", given->before, "The older build tree; without one: what was measured")
                           ->check(CLI::ExistingDirectory);
  auto* const after = app.add_option("--after", given->after, "The newer build tree, configured like the older one")
                          ->check(CLI::ExistingDirectory);
  before->needs(after);
  after->needs(before);
  return [given, &common] { return run_diff(*given, common); };
}

}  // namespace morph::command
