// Finding them: what of the test's row has changed, and whether its row says all.
#include "plugin/selection/evidence_reasons.hpp"

#include <fmt/format.h>

#include <charconv>
#include <tuple>
#include <utility>

#include "coverage/naming/test_names.hpp"
#include "plugin/selection/ranking.hpp"
#include "plugin/selection/rules.hpp"
#include "plugin/system/demangle.hpp"

namespace morph::selection {
namespace {

std::string describe_incomplete(const store::measured_test& test) {
  const bool was_run = (test.incomplete & store::row_of_failed_fixture) == 0;
  std::string text = was_run ? fmt::format("it {} when it was measured", name_of(test.how)) : "it was not measured";
  for (const store::incomplete_row& row : store::incomplete_table())
    if ((test.incomplete & row.bit) != 0) text += fmt::format("; it {}", row.meaning);
  return text;
}

}  // namespace

std::vector<std::uint32_t> match_tests(const plan_request& request) {
  std::vector<std::uint32_t> matched(request.tests.size(), ranking::not_measured);
  if (!request.baseline) return matched;
  const store::evidence& e = *request.baseline->facts;
  std::map<std::tuple<std::string, std::string, std::string>, std::uint32_t> known;
  for (std::uint32_t t = 0; t < e.tests.size(); ++t) {
    const auto& program = e.programs[e.tests[t].program];
    if (!e.tests[t].is_startup()) known[{program.suite, program.target, e.tests[t].case_name}] = t;
  }
  for (std::size_t i = 0; i < matched.size(); ++i) {
    const current_test& test = request.tests[i];
    const auto at = known.find({request.suites[test.suite].name, test.target, test.case_name});
    if (at != known.end()) matched[i] = at->second;
  }
  return matched;
}

evidence_reasons::evidence_reasons(const plan_request& request, const std::vector<std::uint32_t>& facts_of)
    : r_(request), matched_(facts_of) {
  if (!r_.baseline) return;
  const store::evidence& e = *r_.baseline->facts;
  startup_incomplete_.assign(e.programs.size(), false);
  for (const auto& test : e.tests)
    if (test.is_startup() && (test.incomplete != 0 || !test.measured)) startup_incomplete_[test.program] = true;
  for (const auto& program : e.programs) measured_suites_.insert(program.suite);
}

void evidence_reasons::add(std::uint32_t i, planned_test& planned) {
  const current_test& test = r_.tests[i];
  auto& reasons = planned.reasons;
  if (!r_.baseline) {
    reasons.push_back(make_reason<rule::no_baseline>(""));
    return;
  }
  if (!r_.suites[test.suite].listed) {
    reasons.push_back(make_reason<rule::suite_unlisted>(""));
    return;
  }
  const auto& base = *r_.baseline;
  const std::string& suite = r_.suites[test.suite].name;
  if (matched_[i] == ranking::not_measured) {
    if (measured_suites_.count(suite) != 0)
      reasons.push_back(make_reason<rule::test_unknown>(""));
    else
      reasons.push_back(make_reason<rule::suite_unknown>(""));
  } else {
    const store::measured_test& facts = base.facts->tests[matched_[i]];
    if (!facts.measured) {
      reasons.push_back(make_reason<rule::measuring_interrupted>(""));
    } else {
      planned.seconds = static_cast<double>(facts.wall_us) / 1e6;
      if (facts.how == store::outcome::crashed) planned.marks.emplace_back(crashed_mark);
      if (facts.unsteady) planned.marks.emplace_back(unsteady_mark);
      if (facts.is_doubtful())
        reasons.push_back(make_reason<rule::row_doubtful>("", describe_incomplete(facts)));
      else if (startup_incomplete_[facts.program])
        reasons.push_back(make_reason<rule::startup_doubtful>(""));
    }
    for (reason why : base.of_changes.of_test[matched_[i]]) {
      const bool is_in_test_file =
          why.file.empty() ? why.detail.substr(0, why.detail.rfind(':')) == test.file : why.file == test.file;
      if (!test.file.empty() && is_in_test_file && !is_in_production(why, test)) {
        why.kind = reason_kind::changed_test;
        why.unproven = why.executed = false;
        why.detail.clear();
      }
      const bool repeats = why.kind == reason_kind::changed_test && !reasons.empty() && reasons.back().kind == why.kind;
      if (!repeats) reasons.push_back(std::move(why));
    }
  }
  add_named_files(test, reasons);
  if (const auto at = base.of_changes.of_suite.find(suite); at != base.of_changes.of_suite.end())
    reasons.insert(reasons.end(), at->second.begin(), at->second.end());
  reasons.insert(reasons.end(), base.of_changes.of_everything.begin(), base.of_changes.of_everything.end());
}

/// What a test is told to read is its data, whatever is ignored elsewhere.
void evidence_reasons::add_named_files(const current_test& test, std::vector<reason>& reasons) const {
  const impact& of_changes = r_.baseline->of_changes;
  for (const std::string& named : test.named) {
    if (of_changes.changed_files.count(named) != 0) reasons.push_back(make_reason<rule::file_named>(named, named));
    const std::string folder = named + "/";
    for (auto at = of_changes.ignored_files.lower_bound(folder);
         at != of_changes.ignored_files.end() && at->starts_with(folder); ++at)
      reasons.push_back(make_reason<rule::folder_named>(*at, *at, named));
  }
}

/// The function of a change in a test's file: `detail` names it, or a line of it.
const store::measured_function* evidence_reasons::changed_function(const reason& why, const std::string& file) const {
  const store::evidence& facts = *r_.baseline->facts;
  std::uint32_t line = 0;
  if (why.file.empty()) {
    const auto colon = why.detail.rfind(':') + 1;
    std::from_chars(why.detail.data() + colon, why.detail.data() + why.detail.size(), line);
  }
  const store::measured_function* found = nullptr;
  for (const store::measured_function& f : facts.functions) {
    if (f.artificial || facts.files[f.file] != file) continue;
    const bool is_it =
        why.file.empty() ? f.start_line <= line && line <= f.end_line : system::demangled(f.symbol) == why.detail;
    if (is_it && (found == nullptr || f.start_line > found->start_line)) found = &f;
  }
  return found;
}

/// In a file that holds tests, too: what other units see, and neither a framework writes nor a fixture has, which
/// GoogleTest names its tests' suite after. Nothing in files that are named as tests, if coverage has told that it is
/// there: probes know only of which source the object is, and its headers may be anybody's.
bool evidence_reasons::is_in_production(const reason& why, const current_test& test) {
  const bool is_registration =
      test.line > 0 && why.file.empty() && why.detail == fmt::format("{}:{}", test.file, test.line);
  if (is_registration) return false;
  const auto [known, is_new] = production_.try_emplace(test.file + '\n' + why.detail);
  if (is_new)
    if (const store::measured_function* const f = changed_function(why, test.file)) {
      const std::string_view symbol = f->symbol;
      const bool is_internal = symbol.starts_with("_ZL") || symbol.find("_GLOBAL__N_1") != std::string_view::npos;
      const bool is_in_file_of_tests = f->start_line != 0 && naming::is_named_as_tests(test.file);
      if (!is_internal && !is_in_file_of_tests && symbol != "main") known->second = system::demangled(f->symbol);
    }
  const std::string& name = known->second;
  return !name.empty() && name.find("_Test::") == std::string::npos &&
         !name.starts_with(test.case_name.substr(0, test.case_name.find('.')) + "::");
}

}  // namespace morph::selection
