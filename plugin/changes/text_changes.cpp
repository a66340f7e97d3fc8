// Reads the sources around a change, and names the functions of its hunks.
#include "plugin/changes/text_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "coverage/object/read/object_print.hpp"
#include "plugin/build/optimization.hpp"
#include "plugin/build/text_difference.hpp"
#include "plugin/system/files.hpp"

namespace morph::changes {
namespace {

using selection::code_change;

class text_reading {
 public:
  text_reading(const build::build_tree& tree, const git::repository& repo, const store::evidence& facts)
      : tree_(tree), repo_(repo), facts_(facts) {}

  void read(const git::file_change& change, text_changes& to) {
    if (change.how != git::file_change::kind::modified || change.binary || change.submodule || change.hunks.empty())
      return;
    const auto at = std::find(facts_.files.begin(), facts_.files.end(), change.path);
    std::vector<const store::measured_unit*> units;
    for (const store::measured_unit& unit : facts_.units)
      if (std::binary_search(unit.dependencies.begin(), unit.dependencies.end(), at - facts_.files.begin()))
        units.push_back(&unit);
    const build::text_difference difference =
        build::compare_texts(change.old_text, change.new_text, change.hunks, words_of(change.path, units));
    if (!difference.is_known) return;
    std::vector<code_change> changes;
    if (!difference.bodies.empty()) {
      if (units.empty() || std::any_of(units.begin(), units.end(), [](const auto* unit) { return unit->blind; }))
        return;
      if (is_optimized()) {
        if (units.size() == 1 && facts_.files[units.front()->source] == change.path) to.confined.insert(change.path);
        return;
      }
      for (std::uint32_t f = 0; f < facts_.functions.size(); ++f) add(f, difference, change, changes);
    }
    to.explained.emplace(change.path, std::move(changes));
  }

 private:
  bool is_optimized() {
    if (!optimized_) optimized_ = !build::is_unoptimized(tree_);
    return *optimized_;
  }

  /// Of all that is compiled together with the file.
  build::known_words words_of(const std::string& path, const std::vector<const store::measured_unit*>& units) {
    std::set<std::string> paths{path};
    for (const store::measured_unit* const unit : units)
      for (const std::uint32_t file : unit->dependencies) paths.insert(facts_.files[file]);
    if (paths == paths_) return words_;
    std::vector<std::string> texts;
    for (const std::string& name : paths)
      if (auto text = system::read_file(repo_.root() / name)) texts.push_back(std::move(*text));
    paths_ = std::move(paths);
    words_ = build::read_words(texts);
    return words_;
  }

  void add(std::uint32_t function, const build::text_difference& difference, const git::file_change& change,
           std::vector<code_change>& to) const {
    const std::string& symbol = facts_.functions[function].symbol;
    const auto may_be_any = [&](const auto& may_be) {
      return std::any_of(difference.bodies.begin(), difference.bodies.end(), may_be);
    };
    const bool is_candidate = !store::is_block(symbol) && may_be_any([&](const build::source_function& f) {
      return std::any_of(f.names.begin(), f.names.end(), [&](std::string_view name) {
        return name.starts_with("operator") || symbol.find(name) != std::string::npos;
      });
    });
    if (!is_candidate) return;
    const std::string name = object::demangled(symbol);
    if (!may_be_any([&](const build::source_function& f) { return build::may_be(f, name); })) return;
    code_change made;
    made.what = name;
    made.because = fmt::format("may stand in lines of '{}' that changed", change.path);
    made.functions = {function};
    to.push_back(std::move(made));
  }

  const build::build_tree& tree_;
  const git::repository& repo_;
  const store::evidence& facts_;
  std::optional<bool> optimized_;
  std::set<std::string> paths_;
  build::known_words words_;  // of these
};

}  // namespace

text_changes read_texts(const build::build_tree& tree, const git::repository& repo, const selection::file_kinds& kinds,
                        const workspace::found_baseline& baseline, const selection::change_facts& facts) {
  text_changes found;
  text_reading reading(tree, repo, baseline.facts);
  for (const git::file_change& change : baseline.changes)
    if (kinds.kind_of(change.path) == selection::file_kind::source && !facts.read_by_build.contains(change.path))
      reading.read(change, found);
  return found;
}

}  // namespace morph::changes
