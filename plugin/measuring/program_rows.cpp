// The stream of a program becomes rows of elements.
#include <algorithm>
#include <array>
#include <ctime>
#include <string_view>
#include <variant>

#include "plugin/frameworks/ctest_verdict.hpp"
#include "plugin/measuring/program_run.hpp"
#include "plugin/system/files.hpp"

namespace morph::measuring {

namespace {

/// Properties with which ctest gives a test surroundings that it does not have while it is measured.
bool has_unapplied_properties(const build::suite& suite) {
  static constexpr std::array<std::string_view, 2> unapplied{"ENVIRONMENT_MODIFICATION", "RESOURCE_GROUPS"};
  return std::any_of(suite.properties.begin(), suite.properties.end(), [](const auto& property) {
    return std::find(unapplied.begin(), unapplied.end(), property.first) != unapplied.end();
  });
}

}  // namespace

void known_test::add(const gcov::row_record& row, const std::vector<store::element>& executed) {
  const auto how = static_cast<store::outcome>(row.outcome);
  const bool is_worse =
      facts.how == store::outcome::passed || (facts.how == store::outcome::skipped && how != store::outcome::passed);
  if (is_worse) {
    facts.how = how;
    facts.detail = row.detail;
  }
  facts.incomplete |= row.incomplete;
  if (executed.empty()) facts.incomplete |= morph_stream::no_counters;
  facts.wall_us += static_cast<std::int64_t>(row.wall_us);
  facts.cpu_us += static_cast<std::int64_t>(row.cpu_us);
  add_executed(elements, executed);
  ++rows;
}

void program_run::compare_with_first(const std::string& name) {
  const auto at = first_rows_.find(name);
  if (at == first_rows_.end()) return;
  known_test& again = tests_.at(name);
  row_of_process& first = at->second;
  for (const auto* c : again.listed) add_registration(*c, again.elements);
  add_elements(again.elements, in_each_of_series_);
  const bool differs = again.facts.how != first.facts.how || !is_alike(m_, again.elements, first.elements);
  if (differs) {
    first.facts.unsteady = true;
    add_executed(first.elements, again.elements);
    m_.writer.put_row(again.id, first.facts, first.elements);
    m_.again->unsteady.push_back(again.listed.front()->name);
  }
  again.forget();
}

tl::expected<void, std::string> program_run::take(const gcov::stream_record& record) {
  if (const auto* module = std::get_if<gcov::module_record>(&record)) {
    tables_.add(*module);
    if (started_) tables_.translate();
  } else if (const auto* startup = std::get_if<gcov::startup_record>(&record)) {
    started_ = true;
    if (auto some = tables_.check(); !some) return some;
    tables_.translate();
    add_startup(*startup);
  } else if (const auto* begin = std::get_if<gcov::begin_record>(&record)) {
    running_ = begin->test;
  } else if (const auto* row = std::get_if<gcov::row_record>(&record)) {
    // The verdict on a plain program depends on its whole output, which is there when it has ended.
    if (framework_ == nullptr)
      pending_ = *row;
    else
      add_row(*row);
    running_.clear();
  } else if (std::holds_alternative<gcov::end_record>(record)) {
    put_startup_row();
  }
  return {};
}

void program_run::finish_pending() {
  if (!pending_) return;
  gcov::row_record& row = *pending_;
  const bool by_itself = row.outcome == morph_stream::passed || row.outcome == morph_stream::failed;
  if (by_itself) {
    const auto output = system::read_file(log());
    switch (frameworks::judge(row.detail, output ? *output : std::string(), suite_.properties)) {
      case frameworks::verdict::passed:
        row.outcome = morph_stream::passed;
        break;
      case frameworks::verdict::failed:
        row.outcome = morph_stream::failed;
        break;
      case frameworks::verdict::skipped:
        row.outcome = morph_stream::skipped;
        break;
    }
  }
  add_row(row);
  pending_.reset();
}

void program_run::add_startup(const gcov::startup_record& startup) {
  add_executed(outside_tests_, tables_.started(startup.counters, registrations_));
  outside_incomplete_ |= startup.incomplete | tables_.incomplete(startup.counters);
}

void program_run::put_startup_row() {
  store::measured_test facts;
  facts.incomplete = outside_incomplete_ | tables_.incomplete();
  add_elements(outside_tests_, read_outside_tests_);
  add_elements(outside_tests_, inputs_.settle(used_outside_tests_, {}, facts.incomplete));
  add_elements(outside_tests_, inputs_.data(suite_));
  add_elements(outside_tests_, inputs_.watched());
  m_.writer.put_row(startup_, facts, outside_tests_);
}

void program_run::add_registration(const frameworks::listed_case& c, std::vector<store::element>& elements) const {
  const std::string file = c.file.empty() ? std::string() : name_of_source(m_, c.file);
  if (file.empty()) return;
  const store::element x =
      store::make_element(optimizer::requirement_kind::line, m_.writer.file(file), static_cast<std::uint32_t>(c.line));
  const auto place = std::lower_bound(elements.begin(), elements.end(), x);
  if (place == elements.end() || *place != x) elements.insert(place, x);
}

void program_run::add_row(const gcov::row_record& row) {
  const auto at = tests_.find(row.test);
  if (at == tests_.end()) return;
  at->second.add(row, tables_.executed(row.counters));
  at->second.facts.incomplete |= tables_.incomplete(row.counters);
  add_elements(at->second.elements, read_);
  const used_files* const before = &used_outside_tests_;
  add_elements(at->second.elements, inputs_.settle(used_, {&before, 1}, at->second.facts.incomplete));
  add_elements(at->second.elements, inputs_.watched());
  read_.clear();
  used_.clear();
  if (at->second.rows != at->second.listed.size()) return;
  if (is_repeating_)
    compare_with_first(row.test);
  else
    put_row(row.test);
}

void program_run::put_row(const std::string& name) {
  const auto at = tests_.find(name);
  if (at == tests_.end() || m_.writer.is_measured(at->second.id)) return;
  known_test& test = at->second;
  for (const auto* c : test.listed) add_registration(*c, test.elements);
  if (has_unapplied_properties(suite_)) test.facts.incomplete |= morph_stream::not_as_in_ctest;
  test.facts.incomplete |= m_.lacks;
  m_.writer.put_row(test.id, test.facts, test.elements);
  if (m_.again != nullptr) {
    m_.again->add_measured(test.facts);
    if (m_.again->is_chosen(test.id) && !test.facts.is_doubtful()) first_rows_[name] = {test.facts, test.elements};
  }
  totals_.measured += test.listed.size();
  totals_.incomplete += test.facts.is_doubtful() ? test.listed.size() : 0;
  if (test.facts.how != store::outcome::skipped) {
    const bool failed = test.facts.how != store::outcome::passed;
    totals_.failed += failed ? test.listed.size() : 0;
    m_.outcomes.push_back({test.listed.front()->name, failed, std::time(nullptr),
                           static_cast<double>(test.facts.wall_us) / 1e6, "measure", ""});
  }
  test.forget();
  if (const auto now = std::chrono::steady_clock::now(); now - last_checkpoint_ > checkpoint_interval) {
    m_.writer.checkpoint();
    last_checkpoint_ = now;
  }
  m_.on_row();
}

}  // namespace morph::measuring
