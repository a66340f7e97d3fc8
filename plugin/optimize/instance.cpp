// Tests and requirements of a measurement's rows, or of a file.
#include "plugin/optimize/instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "optimizer/order.hpp"
#include "plugin/coupled/forms.hpp"
#include "plugin/coupled/pairs.hpp"
#include "plugin/coupled/subject.hpp"
#include "plugin/frameworks/listing.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/optimize/instance_json.hpp"
#include "plugin/selection/file_kind.hpp"
#include "plugin/store/text.hpp"
#include "plugin/system/files.hpp"
#include "plugin/workspace/baseline.hpp"
#include "plugin/workspace/opened.hpp"
#include "plugin/workspace/suites.hpp"

namespace morph::optimize {
namespace {

using optimizer::requirement_kind;
using store::evidence;

/// One of --keep.
struct kind_row {
  const char* name;
  requirement_kind kind;
};
/// Pairs of branches are no elements of rows.
constexpr requirement_kind no_element{};
constexpr std::array kinds_of_requirements{
    kind_row{"lines", requirement_kind::line},         kind_row{"branches", requirement_kind::branch},
    kind_row{"functions", requirement_kind::function}, kind_row{"conditions", requirement_kind::condition},
    kind_row{"kills", requirement_kind::kill},         kind_row{"coupled", no_element}};

/// Coupled branches, by the tests that cover them.
result<std::vector<coupled_pairs>> coupled_requirements(const build::build_tree& tree, const evidence& e,
                                                        const coupled::file_filter& wanted, system::observer& told) {
  const auto read = coupled::read_subject(tree, false, told);
  if (!read) return tl::unexpected(read.error());
  const auto key_of = [](const store::measured_program& program, const store::measured_test& test) {
    return std::tuple(program.suite, program.target, test.case_name);
  };
  std::map<std::tuple<std::string, std::string, std::string>, std::uint32_t> numbers;
  for (std::uint32_t t = 0; t < e.tests.size(); ++t)
    if (!e.tests[t].is_startup()) numbers[key_of(e.programs[e.tests[t].program], e.tests[t])] = t;
  std::vector<coupled_pairs> made;
  const auto pairs = coupled::distinct_pairs(read->sources.graph, wanted);
  for (const coupled::covered_set& each : coupled::covered_sets(pairs, *read->evidence)) {
    coupled_pairs one;
    for (const coupling::coupled_pair& pair : each.pairs) one.names.push_back(coupled::name_of(read->sources, pair));
    for (const std::uint32_t test : each.tests) {
      const store::measured_test& of = read->covered.tests[test].facts;
      if (const auto at = numbers.find(key_of(read->programs[of.program], of)); at != numbers.end())
        one.tests.push_back(at->second);
    }
    if (!one.tests.empty()) made.push_back(std::move(one));
  }
  return made;
}

/// An error if a program does not tell its tests.
result<std::set<std::string>> files_of_tests(const build::build_tree& tree, const git::repository& repo) {
  std::set<std::string> files;
  for (const workspace::listed_suite& suite : workspace::list_suites(tree))
    for (std::size_t i = 0; i < suite.programs.size(); ++i) {
      if (suite.programs[i].how != frameworks::listed_program::state::listed)
        return tl::unexpected(
            fmt::format("'{}' is not built, so that the files in which its tests are registered are not "
                        "known; build it, or count them with --with-tests",
                        suite.declared->programs[i].target));
      for (const frameworks::listed_case& c : suite.programs[i].cases)
        if (std::string path = c.file.empty() ? std::string() : repo.relative(c.file); !path.empty())
          files.insert(std::move(path));
    }
  return files;
}

/// The tests of a measurement, and what is known of their programs.
class measured_tests {
 public:
  explicit measured_tests(const evidence& e)
      : e_(e), of_program_(e.programs.size()), doubtful_start_(e.programs.size()) {
    for (std::uint32_t t = 0; t < e.tests.size(); ++t) {
      if (!e.tests[t].is_startup())
        of_program_[e.tests[t].program].push_back(t);
      else if (!e.tests[t].measured || e.tests[t].is_doubtful())
        doubtful_start_[e.tests[t].program] = true;
    }
  }

  /// They run with every plan.
  bool is_doubtful(std::uint32_t test) const {
    return !e_.tests[test].measured || e_.tests[test].is_doubtful() || doubtful_start_[e_.tests[test].program];
  }

  /// The tests of each class, all of a program for its start-up row.
  std::vector<std::uint32_t> who_executes(const store::element_class& c) const {
    std::vector<std::uint32_t> tests;
    for (const std::uint32_t test : c.tests) {
      if (!e_.tests[test].is_startup()) {
        tests.push_back(test);
        continue;
      }
      const auto& all = of_program_[e_.tests[test].program];
      tests.insert(tests.end(), all.begin(), all.end());
    }
    std::sort(tests.begin(), tests.end());
    tests.erase(std::unique(tests.begin(), tests.end()), tests.end());
    return tests;
  }

 private:
  const evidence& e_;
  std::vector<std::vector<std::uint32_t>> of_program_;
  std::vector<bool> doubtful_start_;
};

std::uint32_t file_of(const evidence& e, store::element x) {
  return store::kind_of(x) == requirement_kind::function ? e.functions[store::number_of(x)].file : store::owner_of(x);
}

/// One requirement for each class and kind, which weighs as many as are in it. Kills are no group where none is known.
/// Of `e` is left what counts.
optimize_instance instance_of(evidence e, const std::vector<const kind_row*>& kept,
                              const std::function<bool(std::uint32_t)>& counts, std::vector<coupled_pairs> coupled) {
  const auto is_kept = [&](store::element x) {
    const bool is_function = store::kind_of(x) == requirement_kind::function;
    if (is_function && store::is_block(e.functions[store::number_of(x)].symbol)) return false;
    return std::any_of(kept.begin(), kept.end(), [&](const auto* row) { return row->kind == store::kind_of(x); }) &&
           counts(file_of(e, x));
  };
  for (store::element_class& c : e.classes) std::erase_if(c.elements, [&](store::element x) { return !is_kept(x); });
  std::erase_if(e.classes, [](const store::element_class& c) { return c.elements.empty(); });

  std::vector<optimizer::requirement_group> groups;
  std::vector<std::int64_t> weights;
  std::vector<std::vector<std::uint32_t>> covers(e.tests.size());
  const measured_tests tests(e);
  for (const kind_row* kind : kept) {
    groups.push_back({kind->name, 0});
    if (kind->kind == no_element)
      for (const coupled_pairs& each : coupled) {
        for (const std::uint32_t test : each.tests) covers[test].push_back(static_cast<std::uint32_t>(weights.size()));
        weights.push_back(static_cast<std::int64_t>(each.names.size()));
        ++groups.back().size;
      }
    for (const store::element_class& c : e.classes) {
      const auto members = std::count_if(c.elements.begin(), c.elements.end(),
                                         [&](store::element x) { return store::kind_of(x) == kind->kind; });
      if (members == 0) continue;
      const auto requirement = static_cast<std::uint32_t>(weights.size());
      weights.push_back(members);
      ++groups.back().size;
      for (const std::uint32_t test : tests.who_executes(c)) covers[test].push_back(requirement);
    }
    if (kind->kind == requirement_kind::kill && groups.back().size == 0) groups.pop_back();
  }
  optimize_instance made;
  made.file.group_weights.assign(groups.size(), 1);
  made.number_of.resize(e.tests.size());
  optimizer::matrix_builder builder(std::move(groups), std::move(weights));
  for (std::uint32_t t = 0; t < e.tests.size(); ++t) {
    const store::measured_test& test = e.tests[t];
    if (test.is_startup()) continue;
    if (tests.is_doubtful(t)) {
      made.doubtful.push_back(test.name);
      continue;
    }
    made.number_of[t] = static_cast<std::uint32_t>(made.file.tests.size());
    made.file.tests.push_back(test.name);
    builder.add_test(optimizer::rounded_cost(test.wall_us), covers[t]);
  }
  made.file.matrix = std::move(builder).finish();
  made.measured = std::move(e);
  made.coupled = std::move(coupled);
  return made;
}

/// An error for what probes do not record.
result<std::vector<const kind_row*>> kinds_to_keep(std::vector<std::string> names, bool by_probes) {
  if (names.empty() && by_probes) names = {"functions", "kills"};
  if (names.empty()) names = {"lines", "branches", "kills"};
  std::vector<const kind_row*> rows;
  for (const kind_row& row : kinds_of_requirements) {
    if (std::find(names.begin(), names.end(), row.name) == names.end()) continue;
    if (by_probes && row.kind != requirement_kind::function && row.kind != requirement_kind::kill)
      return tl::unexpected(fmt::format(
          "probes record functions and no {}: --keep functions, or configure a build tree with -DMORPH_EVIDENCE=twin",
          row.name));
    rows.push_back(&row);
  }
  return rows;
}

}  // namespace

std::optional<std::string> unknown_kind(const kept_requirements& kept) {
  for (const std::string& name : kept.kinds)
    if (std::none_of(kinds_of_requirements.begin(), kinds_of_requirements.end(),
                     [&](const auto& row) { return name == row.name; }))
      return name;
  return {};
}

result<optimize_instance> instance_from_store(const kept_requirements& kept, const build::build_tree& tree,
                                              system::observer& told) {
  workspace::surroundings around = workspace::open_surroundings(tree);
  if (!around.repo) return tl::unexpected(around.missing);
  const selection::file_kinds kinds(around.repo->root(), tree.ignore);
  auto nearest = workspace::find_nearest(tree, around, kinds, {});
  if (!nearest) return tl::unexpected(nearest.error());
  workspace::found_baseline* const found = &nearest->found;
  auto wanted = kinds_to_keep(kept.kinds, store::is_probed(found->facts));
  if (!wanted) return tl::unexpected(wanted.error());

  std::set<std::string> of_tests;
  if (!kept.with_tests) {
    auto files = files_of_tests(tree, *around.repo);
    if (!files) return tl::unexpected(files.error());
    of_tests = std::move(*files);
  }
  const auto is_in = [](const std::vector<std::string>& globs, const std::string& path) {
    return std::any_of(globs.begin(), globs.end(), [&](const auto& g) { return system::matches_glob(g, path); });
  };
  std::vector<bool> counts;
  // Of libraries without sources here nothing counts: their functions have the top CMakeLists.txt for a file.
  for (const std::string& path : found->facts.files)
    counts.push_back(kinds.kind_of(path) == selection::file_kind::source &&
                     (kept.only.empty() || is_in(kept.only, path)) && !is_in(kept.without, path) &&
                     of_tests.count(path) == 0);
  std::vector<coupled_pairs> coupled;
  if (std::ranges::any_of(*wanted, [](const auto* row) { return row->kind == no_element; })) {
    const auto is_counted = [&](const std::string& path) {
      const auto at = std::ranges::find(found->facts.files, path);
      return at != found->facts.files.end() && counts[static_cast<std::size_t>(at - found->facts.files.begin())];
    };
    auto read = coupled_requirements(tree, found->facts, is_counted, told);
    if (!read) return tl::unexpected(read.error());
    coupled = std::move(*read);
  }
  optimize_instance made = instance_of(
      std::move(found->facts), *wanted, [&](std::uint32_t file) { return counts[file]; }, std::move(coupled));
  made.commit = found->commit;
  for (const std::string& path : made.measured->files)
    if (of_tests.count(path) != 0) made.without.push_back(path);
  return made;
}

result<optimize_instance> instance_from_file(const std::string& path) {
  auto text = system::read_file(path);
  if (!text) return tl::unexpected(text.error());
  const auto read_text = [](std::string&& of) {
    std::istringstream in(std::move(of));
    return optimizer::read_instance(in);
  };
  auto read = is_json(*text) ? read_instance_json(*text) : read_text(std::move(*text));
  if (!read) return tl::unexpected(fmt::format("'{}', {}", path, read.error()));
  optimize_instance made;
  made.file = std::move(*read);
  return made;
}

result<void> write_instance_file(const std::string& path, const optimizer::instance_file& file) {
  std::ostringstream text;
  auto written = path.ends_with(".json") ? write_instance_json(text, file) : optimizer::write_instance(text, file);
  if (!written) return written;
  std::ofstream out(path, std::ios::binary);
  out << text.view();
  out.close();
  if (!out) return tl::unexpected(std::string(std::strerror(errno)));
  return {};
}

nlohmann::json covered_alone(const optimize_instance& in, std::uint32_t test, const std::vector<bool>& others) {
  const auto is_other = [&](std::uint32_t t) { return t != test && others[t]; };
  if (in.measured) {
    const measured_tests tests(*in.measured);
    const auto is_alone = [&](const std::vector<std::uint32_t>& who) {
      bool has_it = false, has_others = false;
      for (const std::uint32_t t : who)
        if (const auto number = in.number_of[t]) {
          has_it = has_it || *number == test;
          has_others = has_others || is_other(*number);
        }
      return has_it && !has_others;
    };
    std::vector<store::element> alone;
    for (const store::element_class& c : in.measured->classes)
      if (is_alone(tests.who_executes(c))) alone.insert(alone.end(), c.elements.begin(), c.elements.end());
    std::sort(alone.begin(), alone.end());
    nlohmann::json said = store::describe(*in.measured, alone);
    for (const coupled_pairs& each : in.coupled)
      if (is_alone(each.tests))
        for (const std::string& name : each.names) said["coupled"].push_back(name);
    for (auto at = said.begin(); at != said.end();) at = at->empty() ? said.erase(at) : std::next(at);
    return said;
  }
  const optimizer::cover_matrix& matrix = in.file.matrix;
  nlohmann::json said = nlohmann::json::object();
  for (std::size_t g = 0; g < matrix.groups.size(); ++g) {
    std::int64_t sum = 0;
    for (const std::uint32_t c : matrix.classes_of(test)) {
      const auto who = matrix.tests_of(c);
      if (std::none_of(who.begin(), who.end(), is_other)) sum += matrix.members[c * matrix.groups.size() + g];
    }
    if (sum != 0) said[matrix.groups[g].name] = sum;
  }
  return said;
}

}  // namespace morph::optimize
