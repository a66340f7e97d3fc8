// Link lines, the baseline's units, and <build>/.morph/before-build.json.
#include "plugin/planning/before_build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "plugin/build/build_reads.hpp"
#include "plugin/build/built_code.hpp"
#include "plugin/build/dependencies.hpp"
#include "plugin/build/link_lines.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/frameworks/framework.hpp"
#include "plugin/selection/rules.hpp"
#include "plugin/system/files.hpp"
#include "plugin/workspace/snapshot.hpp"
#include "plugin/workspace/verdict_history.hpp"

namespace morph::planning {
namespace {

namespace fs = std::filesystem;
using build::build_tree;
using git::file_change;
using nlohmann::json;
using selection::reason;
using selection::rule;

/// What the build description says of objects, without looking at any.
class link_lines {
 public:
  struct place {
    std::string link;  // a program or shared library
    bool shared = false;
    bool own = false;  // not out of a static library
  };

  explicit link_lines(const build::build_tree& tree) {
    auto links = build::linked_files(tree.binary_dir);
    if (!links) return;
    std::map<std::string, std::vector<std::string>> archives;
    for (const build::linked_file& file : *links)
      if (file.archive)
        for (const build::link_input& input : file.inputs) archives[file.path].push_back(input.path);
    const std::string twins = "morph-twin/";
    for (const build::linked_file& file : *links) {
      if (file.archive || file.path.starts_with(twins)) continue;
      for (const build::link_input& input : file.inputs) {
        const auto archive = archives.find(input.path);
        if (archive == archives.end()) {
          places_[input.path].push_back({file.path, file.shared, true});
          continue;
        }
        for (const std::string& object : archive->second) places_[object].push_back({file.path, file.shared, false});
      }
    }
  }

  const std::vector<place>& of(const std::string& object) const {
    static const std::vector<place> nowhere;
    const auto at = places_.find(object);
    return at == places_.end() ? nowhere : at->second;
  }
  const std::map<std::string, std::vector<place>>& all() const { return places_; }

 private:
  std::map<std::string, std::vector<place>> places_;  // by object
};

class widening {
 public:
  widening(full_plan& p, const build::build_tree& tree, const git::repository& repo, const selection::file_kinds& kinds,
           const changes::text_changes& of_texts)
      : p_(p), e_(*p.facts), tree_(tree), repo_(repo), kinds_(kinds), of_texts_(of_texts), links_(tree) {
    for (const build::suite& suite : tree.suites)
      for (const build::test_program& program : suite.programs)
        if (!suite.is_adopted()) programs_[program.executable.lexically_normal()].insert({suite.name, program.target});
    for (std::uint32_t i = 0; i < p.request.tests.size(); ++i) {
      const auto& test = p.request.tests[i];
      tests_of_[{p.request.suites[test.suite].name, test.target}].push_back(i);
    }
    for (std::uint32_t f = 0; f < e_.files.size(); ++f) file_ids_[e_.files[f]] = f;
    // Of an unbuilt tree there is none, and nothing is lost: the twin's is in the evidence.
    if (auto dependencies = build::read_dependencies(tree))
      for (const auto& [object, files] : *dependencies) {
        is_known_.insert(object);
        for (const std::string& file : files)
          if (!build::is_of_system(file) || file.starts_with(repo.root().string() + "/"))
            built_of_[repo.name_of(file)].insert(object);
      }
    for (const auto& unit : e_.units) is_known_.insert(unit.object);
  }

  void add(const git::file_change& change) {
    if (change.submodule || kinds_.kind_of(change.path) == selection::file_kind::build) return;  // everything, by lines
    if (of_texts_.explained.contains(change.path)) return;
    const auto id = file_ids_.find(change.path);
    std::set<std::string> objects;
    std::vector<std::uint32_t> units;
    for (std::uint32_t u = 0; id != file_ids_.end() && u < e_.units.size(); ++u) {
      const auto& dependencies = e_.units[u].dependencies;
      if (!std::binary_search(dependencies.begin(), dependencies.end(), id->second)) continue;
      objects.insert(e_.units[u].object);
      units.push_back(u);
    }
    if (const auto built = built_of_.find(change.path); built != built_of_.end())
      objects.insert(built->second.begin(), built->second.end());
    if (objects.empty()) return;  // what that means is the same before and after a build
    const bool confined = of_texts_.confined.contains(change.path);
    if (confined)
      add_units(change, units);
    else if (is_header(id == file_ids_.end() ? none : id->second))
      add_unknown_objects(change);
    for (const std::string& object : objects) add(change, object, confined);
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  bool is_header(std::uint32_t file) const {
    return file == none ||
           std::none_of(e_.units.begin(), e_.units.end(), [&](const auto& unit) { return unit.source == file; });
  }

  void add(const git::file_change& change, const std::string& object, bool confined) {
    const auto& places = links_.of(object);
    if (places.empty() && !confined)
      give_all(selection::make_reason<rule::link_unknown>(change.path, change.path, object));
    for (const link_lines::place& place : places) {
      const auto program = programs_.find((tree_.binary_dir / place.link).lexically_normal());
      if (program == programs_.end()) {
        if (!confined) give_all(selection::make_reason<rule::link_of_all>(change.path, change.path, place.link));
        continue;
      }
      if (confined && !place.own) continue;
      const reason why = selection::make_reason<rule::link_of_program>(change.path, change.path, place.link);
      for (const auto& of : program->second)
        if (const auto tests = tests_of_.find(of); tests != tests_of_.end())
          for (const std::uint32_t test : tests->second) give(test, why);
    }
  }

  /// Objects of programs without tests, of which no record says what they are compiled from.
  void add_unknown_objects(const git::file_change& change) {
    for (const auto& [object, places] : links_.all()) {
      const bool is_unseen = is_known_.count(object) == 0 && !object.starts_with("_deps/") &&
                             std::none_of(places.begin(), places.end(), [&](const link_lines::place& place) {
                               return programs_.count((tree_.binary_dir / place.link).lexically_normal()) != 0;
                             });
      if (!is_unseen) continue;
      give_all(selection::make_reason<rule::object_unknown>(change.path, change.path, object, places.front().link));
      return;
    }
  }

  /// Who executed anything of these units.
  void add_units(const git::file_change& change, const std::vector<std::uint32_t>& units) {
    std::set<std::uint32_t> measured;
    for (const store::element_class& c : e_.classes)
      if (std::any_of(units.begin(), units.end(), [&](std::uint32_t u) {
            return std::binary_search(c.elements.begin(), c.elements.end(),
                                      store::make_element(optimizer::requirement_kind::unit, 0, u));
          }))
        measured.insert(c.tests.begin(), c.tests.end());
    const reason why = selection::make_reason<rule::unit_executed>(change.path, change.path);
    for (const std::uint32_t t : measured) {
      const auto& program = e_.programs[e_.tests[t].program];
      const auto tests = tests_of_.find({program.suite, program.target});
      if (tests == tests_of_.end()) continue;
      for (const std::uint32_t test : tests->second)
        if (e_.tests[t].is_startup() || p_.request.tests[test].case_name == e_.tests[t].case_name) give(test, why);
    }
  }

  void give_all(const reason& why) {
    for (std::uint32_t i = 0; i < p_.request.tests.size(); ++i) give(i, why);
  }
  /// One reason a file is enough.
  void give(std::uint32_t test, const reason& why) {
    auto& reasons = p_.request.added[test];
    const bool has_one =
        std::any_of(reasons.begin(), reasons.end(), [&](const reason& r) { return r.detail == why.detail; });
    if (!has_one) reasons.push_back(why);
  }

  full_plan& p_;
  const store::evidence& e_;
  const build::build_tree& tree_;
  const git::repository& repo_;
  const selection::file_kinds& kinds_;
  const changes::text_changes& of_texts_;
  link_lines links_;
  std::map<fs::path, std::set<std::pair<std::string, std::string>>> programs_;  // by their files
  std::map<std::pair<std::string, std::string>, std::vector<std::uint32_t>> tests_of_;
  std::map<std::string, std::uint32_t> file_ids_;
  std::map<std::string, std::set<std::string>> built_of_;  // file -> objects of the last build
  std::set<std::string> is_known_;                         // objects of which there is a record
};

fs::path record_of(const build::build_tree& tree) {
  return tree.own_dir() / "before-build.json";
}

/// Nothing for a program that is not there.
json stamp_of(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error) return nullptr;
  return {size, fs::last_write_time(path, error).time_since_epoch().count()};
}

}  // namespace

frameworks::listed_program remembered_program(const build::build_tree& tree, const build::suite& in,
                                              const build::test_program& program, const store::evidence* baseline) {
  if (in.is_adopted()) return frameworks::list_program(tree, in, program);
  auto last = frameworks::last_listing(tree, in, program);
  if (last && last->from_cache) return *last;
  if (last && frameworks::lists_otherwise(tree, in, program)) return frameworks::list_program(tree, in, program);
  frameworks::listed_program known;
  if (baseline != nullptr)
    for (const store::measured_test& test : baseline->tests) {
      const auto& of = baseline->programs[test.program];
      if (!test.is_startup() && of.suite == in.name && of.target == program.target)
        known.cases.push_back({test.case_name, test.name, "", 0, false, std::nullopt});
    }
  if (!known.cases.empty()) return known;
  if (last) return *last;
  known.how = frameworks::listed_program::state::not_built;
  known.message = fmt::format("suite '{}': which tests '{}' has is not known before it is built", in.name,
                              program.executable.string());
  return known;
}

void widen_to_links(full_plan& p, const build::build_tree& tree, const git::repository& repo,
                    const selection::file_kinds& kinds, const changes::text_changes& of_texts) {
  widening w(p, tree, repo, kinds, of_texts);
  for (const git::file_change& change : p.changes) w.add(change);
}

build_needs needs_of(const full_plan& p, const build::build_tree& tree) {
  std::set<std::pair<std::string, std::string>> selected;
  for (const selection::planned_test& test : p.plan.tests)
    if (test.selected) {
      const auto& of = p.request.tests[test.test];
      selected.insert({p.request.suites[of.suite].name, of.target});
    }
  std::set<std::pair<std::string, std::string>> measured;
  if (p.facts)
    for (const store::measured_program& program : p.facts->programs) measured.insert({program.suite, program.target});
  build_needs needs;
  const auto add = [](std::vector<std::string>& to, const std::string& name) {
    if (std::find(to.begin(), to.end(), name) == to.end()) to.push_back(name);
  };
  for (const workspace::listed_suite& suite : p.suites)
    for (std::size_t i = 0; i < suite.programs.size(); ++i) {
      const build::suite& declared = *suite.declared;
      const std::pair<std::string, std::string> program{declared.name, declared.programs[i].target};
      const bool is_known = suite.programs[i].how == frameworks::listed_program::state::listed &&
                            (declared.is_adopted() || measured.count(program) != 0);
      if (is_known && selected.count(program) == 0) {
        needs.left_out.insert(program);
        continue;
      }
      add(needs.suites, declared.name);
      add(needs.targets, declared.is_adopted() ? "all" : program.second);
    }
  if (std::find(needs.targets.begin(), needs.targets.end(), "all") != needs.targets.end()) needs.targets = {"all"};
  if (needs.targets.empty() && !tree.suites.empty()) needs.targets = {nothing_target};
  return needs;
}

result<void> remember_left_out(const full_plan& p, const build::build_tree& tree, const git::repository& repo,
                               const selection::file_kinds& kinds) {
  const auto content = workspace::take_snapshot(tree, repo, kinds);
  if (!content) return tl::unexpected(content.error());
  json programs = json::array();
  for (const workspace::listed_suite& suite : p.suites)
    for (const build::test_program& program : suite.declared->programs)
      if (!suite.declared->is_adopted() && p.needs->left_out.count({suite.declared->name, program.target}) != 0)
        programs.push_back({suite.declared->name, program.target, stamp_of(program.executable)});
  return system::write_file_atomically(record_of(tree), json{{"schema", contract::before_build_schema},
                                                             {"content", workspace::id_of(content->identity)},
                                                             {"configuration", workspace::configuration_id(tree)},
                                                             {"left_out", std::move(programs)}}
                                                            .dump());
}

programs_left_out left_out_of_build(const build::build_tree& tree, const git::repository& repo,
                                    const selection::file_kinds& kinds) {
  programs_left_out found;
  const auto text = system::read_file(record_of(tree));
  if (!text) return found;
  const json record = json::parse(*text, nullptr, false);
  try {
    if (!record.is_object() || record.at("schema") != contract::before_build_schema ||
        record.at("configuration") != workspace::configuration_id(tree) || record.at("left_out").empty())
      return found;
    const auto content = workspace::take_snapshot(tree, repo, kinds);
    if (!content || record.at("content") != workspace::id_of(content->identity)) return found;
    std::optional<bool> up_to_date;
    for (const json& program : record.at("left_out")) {
      const build::suite* suite = tree.find_suite(program.at(0));
      if (suite == nullptr) continue;
      for (const build::test_program& known : suite->programs) {
        if (known.target != program.at(1).get<std::string>()) continue;
        const json stamp = stamp_of(known.executable);
        if (stamp != program.at(2)) continue;  // somebody has built it
        if (!stamp.is_null() && !up_to_date) up_to_date = build::read_built_code(tree, {}).has_value();
        if (stamp.is_null() || !*up_to_date) {
          found.programs.insert({suite->name, known.target});
          found.files.insert(known.executable.lexically_normal().lexically_relative(tree.binary_dir).string());
        }
      }
    }
  } catch (const json::exception&) {
    return {};  // not our record
  }
  return found;
}

}  // namespace morph::planning
