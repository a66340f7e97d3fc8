// The tables of reasons and states.
#include "plugin/selection/reason.hpp"

#include <array>
#include <unordered_set>
#include <utility>

namespace morph::selection {
namespace {

constexpr std::array reasons{
    reason_row{reason_kind::failed_recently, "failed-recently", false, decision::selected,
               "it failed the last time it ran, or in one of its last K runs (--failed-within K)"},
    reason_row{reason_kind::changed_test, "changed-test", false, decision::selected,
               "the test's own source changed where it is concerned"},
    reason_row{reason_kind::changed_code, "changed-code", true, decision::selected,
               "it executed code that changed since the baseline"},
    reason_row{reason_kind::changed_data, "changed-data", true, decision::selected,
               "a file changed that the test opened, that its suite declared as DATA, or whose use is not known"},
    reason_row{reason_kind::changed_build, "changed-build", true, decision::selected, "the build description changed"},
    reason_row{reason_kind::changed_environment, "changed-environment", true, decision::selected,
               "an environment variable that it asks for has another value, or a shared library of its program, which "
               "the build does not make, has another build id"},
    reason_row{reason_kind::is_new, "new", false, decision::selected, "the baseline does not know the test"},
    reason_row{reason_kind::incomplete_evidence, "incomplete-evidence", false, decision::selected,
               "what was recorded of the test may lack something that it executed"},
    reason_row{reason_kind::unmeasured, "unmeasured", false, decision::selected, "nothing was recorded of the test"},
    reason_row{reason_kind::always, "always", false, decision::selected,
               "it is asked for in every plan, or a test elsewhere has its ctest name"},
    reason_row{reason_kind::required, "required", false, decision::selected,
               "a selected test depends on it, or it needs what a selected test does"},
    reason_row{reason_kind::same_name, "same-name", false, decision::selected,
               "another case of its program has the same name and is selected: ctest cannot run one without the other"},
    reason_row{reason_kind::policy_all, "policy-all", false, decision::selected, "the policy runs everything"},
    reason_row{reason_kind::unaffected, "unaffected", false, decision::deselected,
               "nothing that it executed has changed"},
    reason_row{reason_kind::deferred_by_policy, "deferred-by-policy", false, decision::deferred,
               "affected, but the policy leaves it out"},
    reason_row{reason_kind::deferred_by_budget, "deferred-by-budget", false, decision::deferred,
               "selected, but beyond the time budget"},
    reason_row{reason_kind::planned, "planned", false, decision::deselected,
               "the plan selects it; --nightly lists the others"},
};

constexpr std::array marks{
    mark_row{duplicate_name_mark, "another test has the same ctest name"},
    mark_row{crashed_mark, "it crashed when it was measured"},
    mark_row{flaky_mark, "it passed and failed on the same content; its verdicts say little"},
    mark_row{unproven_mark,
             "POLICY narrow leaves it out: it executed a function whose object code changed, but none of the changed "
             "lines; that it is unaffected is likely and not proven"},
    mark_row{unsteady_mark,
             "its runs on the same content did not execute the same. What any of them executed selects it; what "
             "another one would execute is not known"},
};

constexpr std::array states{
    state_row{plan_state::unchanged_proven, "unchanged-proven", "nothing differs from the baseline; forced tests only"},
    state_row{plan_state::affected, "affected", "every change was understood; what it can affect runs"},
    state_row{plan_state::stale_widened, "stale-widened", "some change was not understood; what it may touch runs"},
    state_row{plan_state::unmeasured_ran_all, "unmeasured-ran-all", "no usable baseline; everything runs"},
};

}  // namespace

std::string_view name_of(decision d) {
  constexpr std::array<std::string_view, 3> names{"selected", "deselected", "deferred"};
  return names[static_cast<std::size_t>(d)];
}

std::span<const reason_row> reason_table() {
  return reasons;
}
const reason_row& row_of(reason_kind kind) {
  return reasons[static_cast<std::size_t>(kind)];
}

std::string with_short_names(std::string text) {
  // As libiberty and as LLVM write it; then the ABI's namespace and mark alone.
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> longer{{
      {"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string"},
      {"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>", "std::string"},
      {"std::__cxx11::", "std::"},
      {"[abi:cxx11]", ""},
  }};
  for (const auto& [name, shorter] : longer)
    for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + shorter.size()))
      text.replace(at, name.size(), shorter);
  return text;
}

std::string text_of(const reason& r) {
  const reason_row& row = row_of(r.kind);
  return std::string(row.name) + (row.has_detail ? ":" + with_short_names(r.detail) : "");
}

std::vector<std::string> texts_of(std::span<const reason> reasons) {
  std::vector<std::string> texts;
  std::unordered_set<std::string> known;
  for (const reason& r : reasons)
    if (std::string text = text_of(r); known.insert(text).second) texts.push_back(std::move(text));
  return texts;
}

std::span<const mark_row> mark_table() {
  return marks;
}

std::span<const state_row> state_table() {
  return states;
}
std::string_view name_of(plan_state state) {
  return states[static_cast<std::size_t>(state)].name;
}

}  // namespace morph::selection
