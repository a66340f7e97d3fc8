// Comparing them, and the two forms.
#include "plugin/changes/differences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "coverage/object/compare/compare.hpp"
#include "coverage/object/compare/print_cache.hpp"
#include "plugin/build/link_lines.hpp"
#include "plugin/build/link_options.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/selection/file_kind.hpp"
#include "plugin/workspace/baseline.hpp"
#include "plugin/workspace/opened.hpp"

namespace morph::changes {
namespace {

namespace fs = std::filesystem;

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

link_difference compare_file(side& before, const build::linked_file* was, side& after, const build::linked_file* is) {
  link_difference row{(was != nullptr ? was : is)->path, {}, {}};
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

std::string text_of(const link_difference& row) {
  if (!row.incomparable.empty()) {
    return fmt::format("{}: everything counts as changed: {}\n", row.path, row.incomparable);
  }
  std::string text =
      fmt::format("{}: {} of {} functions changed, {} new\n", row.path,
                  std::count_if(row.found.changes.begin(), row.found.changes.end(),
                                [](const object::change& c) { return c.kind == object::change_kind::function; }),
                  row.found.compared, row.found.added);
  for (const object::change& c : row.found.changes) text += fmt::format("  {}\n", words_of(c));
  std::map<object::normal_rule, std::size_t> rules;
  for (const object::normalization& n : row.found.normalized) ++rules[n.rule];
  for (const auto& [rule, count] : rules) text += fmt::format("  no change: {} ({})\n", count, to_text(rule));
  return text;
}

nlohmann::json json_of(const link_difference& row) {
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

}  // namespace

result<std::vector<link_difference>> differences_between(const std::string& before_dir, const std::string& after_dir) {
  side before(before_dir), after(after_dir);
  const auto was = before.linked();
  const auto is = after.linked();
  if (!was || !is) return tl::unexpected(!was ? was.error() : is.error());
  std::set<std::string> paths;
  // What neither tree has built is nobody's program.
  const auto add_built = [&](const std::string& folder, const std::map<std::string, build::linked_file>& files) {
    for (const auto& [path, file] : files)
      if (std::error_code missing; fs::exists(fs::path(folder) / path, missing)) paths.insert(path);
  };
  add_built(before_dir, *was);
  add_built(after_dir, *is);
  std::vector<link_difference> rows;
  for (const std::string& path : paths) {
    const auto old_file = was->find(path), new_file = is->find(path);
    rows.push_back(compare_file(before, old_file == was->end() ? nullptr : &old_file->second, after,
                                new_file == is->end() ? nullptr : &new_file->second));
  }
  return rows;
}

result<std::vector<link_difference>> differences_since_baseline(const build::build_tree& tree) {
  workspace::surroundings around = workspace::open_surroundings(tree);
  if (!around.repo) return tl::unexpected(around.missing);
  const selection::file_kinds kinds(around.repo->root(), tree.ignore);
  const auto baseline = workspace::find_nearest(tree, around, kinds, {});
  if (!baseline) return tl::unexpected(baseline.error());
  auto found = object_code_differences(tree, *around.repo, kinds, *baseline->from, baseline->found);
  if (!found)
    return tl::unexpected(fmt::format("the object code cannot be compared with that of commit {}: {}",
                                      baseline->found.commit.substr(0, 10), found.error()));
  return found;
}

std::string as_json(const std::vector<link_difference>& differences) {
  nlohmann::json files = nlohmann::json::array();
  for (const link_difference& row : differences) files.push_back(json_of(row));
  return nlohmann::json{{"schema", contract::diff_schema}, {"files", files}}.dump(2) + '\n';
}

std::string as_text(const std::vector<link_difference>& differences) {
  std::string text;
  for (const link_difference& row : differences) text += text_of(row);
  return text;
}

}  // namespace morph::changes
