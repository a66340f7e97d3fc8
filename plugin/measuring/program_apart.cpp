// A process from its very start for each case.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <span>
#include <utility>

#include "plugin/frameworks/ctest_verdict.hpp"
#include "plugin/measuring/probe_rows.hpp"
#include "plugin/measuring/program_run.hpp"
#include "plugin/measuring/shared_counts.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/static_program.hpp"

namespace morph::measuring {

namespace fs = std::filesystem;

result<program_totals> program_run::run_apart() {
  is_apart_ = true;
  if (has_counter_files(m_.twin))
    files_.emplace(m_, suite_.name);
  else if (m_.probes != nullptr)
    started_ = true;
  else if (auto offered = offer_shared_memory(); !offered)
    return tl::unexpected(offered.error());
  if (auto ran = run_series_apart(); !ran) return tl::unexpected(ran.error());
  for (const std::string& name : unmeasured()) {
    if (system::interrupted()) return totals_;
    auto row = run_case_apart(name);
    if (!row) return tl::unexpected(row.error());
    if (system::interrupted()) return totals_;
    known_test& test = tests_.at(name);
    test.facts = row->facts;
    test.elements = std::move(row->elements);
    put_row(name);
  }
  std::vector<store::element> at_start = inputs_.data(suite_);
  add_elements(at_start, inputs_.opens_nothing());
  if (m_.probes != nullptr) {
    const auto entered = entered_at_start();
    if (!entered) return tl::unexpected(entered.error());
    add_elements(at_start, *entered);
  }
  m_.writer.put_row(startup_, {}, at_start);  // each row has the rest
  return totals_;
}

result<row_of_process> program_run::run_case_apart(const std::string& name) {
  auto made =
      make_command(framework_ == nullptr ? std::vector<std::string>() : framework_->choose(std::span(&name, 1)));
  if (!made) return tl::unexpected(made.error());
  system::command& c = *made;
  c.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(time_limit() * 1000));
  std::vector<store::element> read = inputs_.libraries(program_.executable.string(), c);
  used_files used;
  inputs_.watch(c, [&](bool) -> used_files& { return used; });
  if (auto awaited = await_end(c); !awaited) return tl::unexpected(awaited.error());
  const auto started = std::chrono::steady_clock::now();
  const system::process_end end = system::run(c);
  inputs_.check(end);

  row_of_process row;
  row.facts.wall_us =
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - started).count();
  row.facts.detail = end.code;
  if (m_.probes != nullptr)
    take_probes(row, c, read);
  else if (auto taken = files_ ? take_files(row) : take_shared(row, c, read); !taken)
    return tl::unexpected(taken.error());
  if (!files_) add_elements(read, inputs_.watched());
  const bool says_its_end = framework_ != nullptr && m_.probes == nullptr;
  if (end.how == system::process_end::kind::exited && says_its_end && !framework_ended()) {
    row.facts.how = store::outcome::exited;
    row.facts.incomplete |= morph_stream::ended_early;
  } else if (end.how == system::process_end::kind::exited) {
    row.facts.how = outcome_of(end.code, system::read_file(log()).value_or(std::string()));
  } else {
    row.facts.how =
        end.how == system::process_end::kind::timed_out ? store::outcome::timed_out : store::outcome::crashed;
    row.facts.incomplete |= morph_stream::ended_early;
  }
  add_elements(row.elements, read);
  add_elements(row.elements, inputs_.settle(used, {}, row.facts.incomplete));
  return row;
}

store::outcome program_run::outcome_of(int status, const std::string& output) const {
  auto properties = suite_.properties;
  if (framework_ != nullptr) properties = frameworks::properties_of_case(*framework_, std::move(properties));
  if (framework_ != nullptr && !framework_->skip_expression.empty())
    properties.emplace_back("SKIP_REGULAR_EXPRESSION", framework_->skip_expression);
  const auto verdict = frameworks::judge(status, output, properties);
  return verdict == frameworks::verdict::passed   ? store::outcome::passed
         : verdict == frameworks::verdict::failed ? store::outcome::failed
                                                  : store::outcome::skipped;
}

result<void> program_run::run_series_apart() {
  constexpr std::size_t longest_argument = 100'000;  // Linux takes 128 KiB
  if (m_.probes == nullptr || framework_ == nullptr) return {};
  while (!system::interrupted()) {
    std::vector<std::string> names;
    std::size_t length = 0;
    for (const std::string& name : unmeasured()) {
      length += name.size() + 1;
      if (length > longest_argument) break;
      names.push_back(name);
    }
    if (names.size() < 2 || system::is_static_program(program_.executable)) return {};
    const auto begun = run_series(names);
    if (!begun) return tl::unexpected(begun.error());
    if (*begun == 0) return {};
  }
  return {};
}

result<std::size_t> program_run::run_series(const std::vector<std::string>& names) {
  using clock = std::chrono::steady_clock;
  auto made = make_command(framework_->choose(names));
  if (!made) return tl::unexpected(made.error());
  system::command& c = *made;
  std::vector<spool::series_member> members;
  // Other options may have GoogleTest say less, or run tests more than once.
  const bool has_options = std::any_of(suite_.extra_args.begin(), suite_.extra_args.end(),
                                       [](const std::string& a) { return a.find("gtest_") != a.npos; });
  for (const std::string& name : names) {
    members.push_back({name, ""});
    if (framework_->name == "gtest" && !has_options) continue;
    members.back().arguments =
        frameworks::with_arguments(framework_, suite_.extra_args, framework_->choose(std::span(&name, 1)));
  }
  const auto series = m_.probes->begin_series(c, members);
  if (!series) return tl::unexpected(series.error());
  std::vector<store::element> read = inputs_.libraries(program_.executable.string(), c);

  // By 1 + the number of the case; 0: of the program itself. One has ended when another opens a file.
  std::map<std::uint32_t, used_files> used;
  std::map<std::uint32_t, std::pair<std::vector<store::element>, std::uint32_t>> settled;
  const auto settle = [&](std::uint32_t number) -> auto& {
    auto& to = settled[number];
    const used_files* const of_program = &used[0];
    to.first = inputs_.settle(used[number], std::span(&of_program, 1), to.second);
    return to;
  };
  std::uint32_t last = 0;
  inputs_.watch(c, [&](bool) -> used_files& { return used[last]; });
  if (c.on_opened)
    c.on_opened = [&, add = c.on_opened](const system::opened_file& opened) {
      if (last != 0 && opened.during != last) settle(last);
      last = opened.during;
      add(opened);
    };
  c.moment = [&] { return system::moment{series->running(), series->process()}; };
  std::uint32_t running = ~0U;
  clock::time_point limit;
  c.deadline = [&] {
    if (const std::uint32_t now = series->running(); now != running) {
      running = now;
      limit = clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(time_limit() * 1000));
    }
    return limit;
  };
  const system::process_end end = system::run(c);
  inputs_.check(end);
  const std::string output = system::read_file(log()).value_or(std::string());
  const std::vector<store::element> told = inputs_.watched();
  auto rows = m_.probes->take_series();
  if (system::interrupted()) return std::size_t{0};
  const auto& in_each = rows[spool::of_all].did.elements;
  add_elements(in_each_of_series_, in_each);
  const auto of_program = settle(0);
  std::size_t begun = 0;
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    if (!series->has_begun(i)) continue;
    ++begun;
    auto& [did, said] = rows[i];
    known_test& test = tests_.at(names[i]);
    test.facts.wall_us = said.wall_us;
    test.facts.incomplete = did.incomplete;
    const system::process_end case_end = series->is_over(i) ? system::end_of(series->status(i)) : end;
    test.facts.detail = case_end.code;
    const bool is_whole = said.has_ended && said.output_end <= output.size() && said.output_begin <= said.output_end;
    if (series->is_over(i) && case_end.how == system::process_end::kind::exited && is_whole) {
      test.facts.how = outcome_of(case_end.code, output.substr(said.output_begin, said.output_end - said.output_begin));
    } else {
      test.facts.how =
          case_end.how == system::process_end::kind::timed_out ? store::outcome::timed_out : store::outcome::crashed;
      test.facts.incomplete |= morph_stream::ended_early;
    }
    if (did.elements.empty()) test.facts.incomplete |= morph_stream::no_counters;
    test.elements = std::move(did.elements);
    add_elements(test.elements, read);
    add_elements(test.elements, inputs_.variables(did.variables, c));
    add_elements(test.elements, told);
    const auto own = settled.find(i + 1);
    const auto& [files, lacks] = own != settled.end() ? own->second : settle(i + 1);
    add_elements(test.elements, of_program.first);
    add_elements(test.elements, files);
    test.facts.incomplete |= of_program.second | lacks;
    if (!did.why.empty()) m_.told.detail(fmt::format("suite '{}': {}", suite_.name, did.why));
    put_row(names[i]);
  }
  return begun;
}

result<void> program_run::await_end(system::command& c) const {
  if (framework_ == nullptr || m_.probes != nullptr) return {};
  c.environment.emplace_back("MORPH_COVERAGE_END", fmt::format("0:{}", end_file().string()));
  return system::write_file_atomically(end_file(), "");
}

bool program_run::framework_ended() const {
  std::error_code none;
  return !fs::exists(end_file(), none);
}

result<void> program_run::take_shared(row_of_process& row, const system::command& c,
                                      std::vector<store::element>& read) {
  shared_counts taken = take_shared_counts();
  add_elements(read, inputs_.variables(taken.variables, c));
  row.facts.incomplete = taken.incomplete;
  std::error_code none;
  if (fs::exists(m_.twin.own_dir() / "measure" / "gcda", none)) row.facts.incomplete |= morph_stream::made_process;
  const auto tables = programs_.tables(program_.target, {}, std::move(taken.modules));
  if (!tables) return tl::unexpected(tables.error());
  row.elements = (*tables)->started(taken.counters, registrations_);
  row.facts.incomplete |= (*tables)->incomplete(taken.counters);
  if (row.elements.empty()) row.facts.incomplete |= morph_stream::no_counters;
  return {};
}

void program_run::take_probes(row_of_process& row, const system::command& c, std::vector<store::element>& read) {
  probe_rows::row taken = m_.probes->take();
  row.elements = std::move(taken.elements);
  row.facts.incomplete = taken.incomplete;
  add_elements(read, inputs_.variables(taken.variables, c));
  if (!taken.why.empty()) m_.told.detail(fmt::format("suite '{}': {}", suite_.name, taken.why));
}

result<std::vector<store::element>> program_run::entered_at_start() {
  if (framework_ == nullptr) return std::vector<store::element>();
  const std::string no_test = "no.test.of.this.name";
  auto made = make_command(framework_->choose(std::span(&no_test, 1)));
  if (!made) return tl::unexpected(made.error());
  made->timeout = std::chrono::milliseconds(static_cast<std::int64_t>(time_limit() * 1000));
  std::vector<store::element> read = inputs_.libraries(program_.executable.string(), *made);
  used_files used;
  inputs_.watch(*made, [&](bool) -> used_files& { return used; });
  inputs_.check(system::run(*made));
  probe_rows::row taken = m_.probes->take();
  add_elements(taken.elements, read);
  add_elements(taken.elements, inputs_.watched());
  add_elements(taken.elements, inputs_.variables(taken.variables, *made));
  add_elements(taken.elements, inputs_.settle(used, {}, taken.incomplete));
  return std::move(taken.elements);
}

result<void> program_run::take_files(row_of_process& row) {
  counter_files::row taken = files_->take(registrations_);
  row.elements = std::move(taken.elements);
  row.facts.incomplete = taken.incomplete;
  return {};
}

}  // namespace morph::measuring
