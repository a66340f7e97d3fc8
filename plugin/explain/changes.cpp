// What assertions leave alive is for new tests.
#include "plugin/explain/changes.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "plugin/explain/verify.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::explain {

using nlohmann::json;

result<proposed_changes> propose_changes(const build::build_tree& tree, const explained& of,
                                         const change_request& asked, system::observer& told) {
  proposed_changes made;
  auto assertions = make_fixes(tree, of, told);
  if (!assertions) return tl::unexpected(assertions.error());
  made.assertions = std::move(*assertions);
  if (auto verified = verify(tree, made.assertions, asked.jobs, told); !verified)
    return tl::unexpected(verified.error());
  if (!asked.has_tests) return made;
  std::set<std::string> done = made.assertions.killed;
  done.insert(made.assertions.asserted.begin(), made.assertions.asserted.end());
  auto tests = make_tests(tree, of, done, told);
  if (!tests) return tl::unexpected(tests.error());
  made.tests = std::move(*tests);
  return made;
}

result<generate::proposal> files_with(const build::build_tree& tree, const proposed_changes& all) {
  auto made = files_with(tree, all.assertions);
  if (!made) return made;
  return generate::merged({std::move(*made), all.tests.files});
}

std::string summary_of(const explained& of, const proposed_changes& all) {
  std::size_t killed = all.assertions.killed.size();
  for (const new_test& each : all.tests.tests) killed += each.mutants.size();
  return fmt::format("of {}, {} and {} kill {}", system::counted(of.said.explanations.size(), "survivor"),
                     system::counted(all.assertions.fixes.size(), "new assertion"),
                     system::counted(all.tests.tests.size(), "new test"), killed);
}

std::string as_json(const explain_report& of, const proposed_changes& all, const std::string& patch) {
  json assertions = json::array(), tests = json::array();
  for (const fix_candidate& each : all.assertions.fixes)
    assertions.push_back({{"test", each.test},
                          {"file", each.file},
                          {"line", each.line},
                          {"text", each.assertion},
                          {"mutants", each.mutants}});
  for (const new_test& each : all.tests.tests)
    tests.push_back({{"test", each.name}, {"file", each.file}, {"mutants", each.mutants}});
  std::vector<std::string> refused = all.assertions.refused;
  refused.insert(refused.end(), all.tests.refused.begin(), all.tests.refused.end());
  json made = json::parse(as_json(of));
  made["fixes"] = {{"assertions", std::move(assertions)},
                   {"tests", std::move(tests)},
                   {"killed_by_assertions", all.assertions.killed},
                   {"refused", std::move(refused)},
                   {"patch", patch}};
  return json_text(made) + '\n';
}

}  // namespace morph::explain
