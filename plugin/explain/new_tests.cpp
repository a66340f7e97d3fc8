// The search is that of `morph generate`, for some mutants of one source.
#include "plugin/explain/new_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "plugin/coupled/sources.hpp"
#include "plugin/explain/reach.hpp"
#include "plugin/generate/run.hpp"
#include "plugin/mutating/result.hpp"
#include "plugin/report/mutant_ids.hpp"
#include "plugin/system/process.hpp"

namespace morph::explain {
namespace {

constexpr double most_seconds = 30;  // of the search for branches, and again half of it for mutants
constexpr std::uint64_t most_sequences = 20'000;

constexpr std::uint32_t most_distant = 3;  // calls between a test and the mutant's function

struct wanted {
  std::vector<generate::mutant_text> mutants{};
  std::vector<std::string> ids{};  // one for each
  std::set<std::string> leading{};
};

std::string name_alone(const std::string& function) {
  return function.substr(0, function.find('('));
}

std::map<std::string, wanted> by_file(const explained& of, const std::set<std::string>& killed,
                                      const report::mutation_result& last, const coupling::branch_graph& graph) {
  std::map<std::string, wanted> made;
  for (const explanation& each : of.said.explanations) {
    const auto named = report::mutants_named(last, each.change.id);
    if (killed.contains(each.change.id) || named.empty()) continue;
    const report::mutant_result& mutant = last.files[named.front().file].mutants[named.front().mutant];
    wanted& to = made[each.change.file];
    to.mutants.push_back({each.change.file, mutant.begin, mutant.end, mutant.op, mutant.replacement});
    to.ids.push_back(each.change.id);
    for (const caller_level& one : callers_of(graph, each.change.function))
      if (one.distance <= most_distant) to.leading.insert(name_alone(graph.functions[one.function].name));
  }
  return made;
}

std::string why_none(const generate::report& of) {
  if (!of.why_nothing.empty()) return of.why_nothing;
  if (!of.verified.is_done && !of.verified.why.empty()) return of.verified.why;
  if (!of.mutation.is_done) return of.mutation.why;
  return fmt::format("none of {} sequences of calls made a difference that a test could see", of.sequences);
}

void refuse_all(const wanted& what, const std::string& why, proposed_tests& to) {
  for (const std::string& each : what.ids) to.refused.push_back(fmt::format("{}: no new test: {}", each, why));
}

void add(const generate::report& found, const wanted& what, const std::filesystem::path& root, proposed_tests& to) {
  std::map<std::string, new_test> tests;
  for (std::size_t i = 0; i < what.ids.size(); ++i) {
    const std::string name = i < found.killers.size() ? found.killers[i] : std::string();
    if (name.empty())
      to.refused.push_back(fmt::format("{}: no new test: {}", what.ids[i], why_none(found)));
    else
      tests[name].mutants.push_back(what.ids[i]);
  }
  for (auto& [name, test] : tests) {
    test.name = name;
    test.file = found.proposed.files.front().path.lexically_relative(root).string();
    to.tests.push_back(std::move(test));
  }
}

}  // namespace

result<proposed_tests> make_tests(const build::build_tree& tree, const explained& of,
                                  const std::set<std::string>& killed, system::observer& told) {
  const auto last = mutating::last_result(tree);
  if (!last) return tl::unexpected(last.error());
  const auto sources = coupled::read_sources(tree, root_of(tree), coupled::any_number, told);
  if (!sources) return tl::unexpected(sources.error());
  proposed_tests made;
  std::vector<generate::proposal> files;
  std::set<std::filesystem::path> taken;
  for (const auto& [file, what] : by_file(of, killed, *last, sources->graph)) {
    if (system::interrupted()) return tl::unexpected(std::string("interrupted"));
    generate::request asked{.unit = file, .budget = most_seconds, .most_sequences = most_sequences};
    asked.killing = what.mutants;
    asked.leading = what.leading;
    asked.taken = taken;
    const auto found = generate::run(tree, asked, told);
    if (!found) {
      refuse_all(what, found.error().message, made);
      continue;
    }
    if (found->is_interrupted) return tl::unexpected(std::string("interrupted"));
    told.detail(fmt::format("{}: {} sequences, {} runs with mutants ({:.1f} s)", file, found->sequences,
                            found->mutation.runs, found->mutation.cpu_runs));
    if (found->tests.empty()) {
      add(*found, what, tree.source_dir, made);
      continue;
    }
    taken.insert(found->proposed.files.front().path);
    add(*found, what, tree.source_dir, made);
    files.push_back(found->proposed);
  }
  made.files = generate::merged(files);
  return made;
}

}  // namespace morph::explain
