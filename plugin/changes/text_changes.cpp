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
#include "plugin/build/build_tools.hpp"
#include "plugin/build/compiler_flags.hpp"
#include "plugin/build/cxx_tokens.hpp"
#include "plugin/build/source_functions.hpp"
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
    if (change.path.ends_with(".inc") || change.path.ends_with(".def")) return;  // parts of anything
    const auto at = std::find(facts_.files.begin(), facts_.files.end(), change.path);
    std::vector<const store::measured_unit*> units;
    for (const store::measured_unit& unit : facts_.units)
      if (std::binary_search(unit.dependencies.begin(), unit.dependencies.end(), at - facts_.files.begin()))
        units.push_back(&unit);
    if (units.empty()) return;  // what it is compiled with is not known
    const build::text_difference difference =
        build::compare_texts(change.old_text, change.new_text, change.hunks, words_of(change.path, units));
    if (!difference.is_known) return;
    std::vector<code_change> changes;
    if (!difference.bodies.empty()) {
      if (std::any_of(units.begin(), units.end(), [&](const auto* unit) { return unit->blind || is_of_tool(*unit); }))
        return;
      if (is_optimized()) {
        const auto is_source = [&](const auto* unit) { return facts_.files[unit->source] == change.path; };
        if (std::all_of(units.begin(), units.end(), is_source)) to.confined.insert(change.path);
        return;
      }
      for (const std::string_view name : difference.bodies) {
        const auto functions = functions_named(name, change.path, units);
        if (!functions) return;
        changes.insert(changes.end(), functions->begin(), functions->end());
      }
    }
    to.explained.emplace(change.path, std::move(changes));
  }

 private:
  bool is_optimized() {
    if (!optimized_) optimized_ = !build::is_unoptimized(tree_);
    return *optimized_;
  }

  /// What that does shows in generated files, whoever executes it.
  bool is_of_tool(const store::measured_unit& unit) {
    if (!tools_) tools_ = build::objects_of_build_tools(tree_);
    return !*tools_ || (*tools_)->contains(unit.object);
  }

  /// Of all that is compiled together with the file.
  build::known_words words_of(const std::string& path, const std::vector<const store::measured_unit*>& units) {
    std::set<std::string> paths{path};
    for (const store::measured_unit* const unit : units)
      for (const std::uint32_t file : unit->dependencies) paths.insert(facts_.files[file]);
    if (paths == paths_) return words_;
    std::vector<std::string> texts{build::definitions_on_command_lines(tree_)};
    for (const std::string& name : paths)
      if (auto text = system::read_file(repo_.root() / name)) texts.push_back(std::move(*text));
    paths_ = std::move(paths);
    words_ = build::read_words(texts);
    return words_;
  }

  /// The functions of the evidence that may be called so. Nothing if none certainly is: the name may be that of a
  /// macro, or the function is put into its callers.
  std::optional<std::vector<code_change>> functions_named(std::string_view name, const std::string& path,
                                                          const std::vector<const store::measured_unit*>& units) const {
    const auto is_near = [&](std::uint32_t file) {
      return facts_.files[file] == path ||
             std::any_of(units.begin(), units.end(), [&](const auto* unit) { return unit->source == file; });
    };
    std::vector<code_change> found;
    bool is_there = false;
    for (std::uint32_t f = 0; f < facts_.functions.size(); ++f) {
      const std::string& symbol = facts_.functions[f].symbol;
      const bool is_candidate = name.starts_with("operator") || symbol.find(name) != std::string::npos;
      if (!is_candidate || store::is_block(symbol)) continue;
      const std::string demangled = object::demangled(symbol);
      if (!build::has_word(demangled, name)) continue;
      is_there = is_there || (is_called(demangled, name) && is_near(facts_.functions[f].file));
      code_change made;
      made.what = demangled;
      made.because = fmt::format("may stand in lines of '{}' that changed", path);
      made.functions = {f};
      found.push_back(std::move(made));
    }
    if (!is_there) return std::nullopt;
    return found;
  }

  /// Whether arguments follow the name, of the function or of a template.
  static bool is_called(std::string_view demangled, std::string_view name) {
    if (demangled == name) return true;
    for (auto at = demangled.find(name); at != std::string_view::npos; at = demangled.find(name, at + 1)) {
      const bool begins = at == 0 || !build::is_word_character(demangled[at - 1]);
      const std::size_t end = at + name.size();
      if (begins && end < demangled.size() && std::string_view("(<[").find(demangled[end]) != std::string_view::npos)
        return true;
    }
    return false;
  }

  const build::build_tree& tree_;
  const git::repository& repo_;
  const store::evidence& facts_;
  std::optional<bool> optimized_;
  std::optional<result<std::set<std::string>>> tools_;
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
