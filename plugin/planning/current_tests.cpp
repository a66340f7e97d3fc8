// From listed suites to those of a request.
#include "plugin/planning/current_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "plugin/frameworks/ctest_tests.hpp"
#include "plugin/frameworks/ctest_verdict.hpp"
#include "plugin/system/regular_expression.hpp"

namespace morph::planning {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> list_property(const build::suite& suite, std::string_view property) {
  for (const auto& [name, value] : suite.properties)
    if (name == property) return frameworks::split_list(value);
  return {};
}

/// Names that occur in several programs. (Catch2 and doctest allow several cases of one name in a program; ctest runs
/// all of them under it, and their evidence is of all of them.)
void note_duplicates(full_plan& p) {
  using program = std::pair<std::uint32_t, std::string>;
  std::map<std::string, std::vector<program>> users;
  std::vector<std::pair<std::pair<program, program>, std::vector<std::string>>> shared;
  for (const auto& test : p.request.tests) {
    auto& programs = users[test.name];
    const program own{test.suite, test.target};
    if (std::find(programs.begin(), programs.end(), own) != programs.end()) continue;
    programs.push_back(own);
    if (programs.size() != 2) continue;
    const std::pair both{programs[0], programs[1]};
    auto found = std::find_if(shared.begin(), shared.end(), [&](const auto& s) { return s.first == both; });
    if (found == shared.end()) found = shared.insert(shared.end(), {both, {}});
    found->second.push_back(test.name);
  }
  const auto name_of = [&](const program& of) {
    const std::string& suite = p.request.suites[of.first].name;
    return suite == of.second ? fmt::format("'{}'", suite) : fmt::format("'{}' ({})", suite, of.second);
  };
  for (const auto& [both, tests] : shared)
    p.notes.push_back(
        fmt::format("{} in both {} and {}; ctest cannot tell them apart, they always run. Give one suite a TEST_PREFIX",
                    tests.size() == 1 ? fmt::format("test '{}' occurs", tests[0])
                                      : fmt::format("'{}' and {} more test names occur", tests[0], tests.size() - 1),
                    name_of(both.first), name_of(both.second)));
}

}  // namespace

result<void> request_suites(full_plan& p, const git::repository* repo, const plan_options& options) {
  for (std::uint32_t s = 0; s < p.suites.size(); ++s) {
    const workspace::listed_suite& listed = p.suites[s];
    const build::suite& declared = *listed.declared;
    auto how = selection::parse_policy(options.policy.empty() ? declared.policy : options.policy);
    if (!how) return tl::unexpected(how.error());
    if (p.request.head && p.request.head->run_all) how = selection::chosen_policy{selection::policy::all};
    // Which tests need not run is known after the build.
    if (options.before_build && (how->how == selection::policy::minimal || how->how == selection::policy::risk))
      how = selection::chosen_policy{};
    const bool is_listed = listed.whole() || (options.before_build && !declared.is_adopted());
    selection::current_suite current{declared.name, *how, {}, is_listed, declared.is_adopted()};
    for (const std::string& expression : declared.always) {
      const bool valid = system::pattern::compile(expression).has_value();
      if (!valid)
        p.notes.push_back(fmt::format("suite '{}': ALWAYS '{}' is not a regular expression; its tests all run",
                                      declared.name, expression));
      current.always.push_back(valid ? expression : ".*");
    }
    p.request.suites.push_back(std::move(current));
    for (std::size_t i = 0; i < listed.programs.size(); ++i) {
      const frameworks::listed_program& program = listed.programs[i];
      if (program.how != frameworks::listed_program::state::listed) {
        const bool built = program.how == frameworks::listed_program::state::failed;
        p.notes.push_back(program.message + (built ? "; the suite runs as a whole" : ""));
        p.listing_failed = p.listing_failed || !options.before_build;
      }
      for (const frameworks::listed_case& c : program.cases) {
        if (c.disabled) continue;
        const std::string file = repo != nullptr && !c.file.empty() ? repo->name_of(c.file) : std::string();
        selection::current_test test{s, declared.programs[i].target, c.case_name, c.name, file};
        test.line = c.line;
        const auto list = [&](const char* property) {
          return c.entry ? c.entry->list(property) : list_property(declared, property);
        };
        test.depends = list("DEPENDS");
        test.fixtures_required = list("FIXTURES_REQUIRED");
        test.fixtures_set_up = list("FIXTURES_SETUP");
        if (c.entry) {
          test.built = options.before_build || !c.entry->command.empty();
          if (repo != nullptr)
            for (const fs::path& path : frameworks::named_paths(*c.entry))
              if (std::string named = repo->relative(path); !named.empty()) test.named.push_back(std::move(named));
        }
        p.request.tests.push_back(std::move(test));
      }
    }
  }
  note_duplicates(p);
  return {};
}

}  // namespace morph::planning
