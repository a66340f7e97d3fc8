// Starts the program until each test has its row: once for all of them, or once for each.
#include "plugin/measuring/program_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plugin/measuring/notes.hpp"
#include "plugin/measuring/probe_rows.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/static_program.hpp"

namespace morph::measuring {

namespace {

namespace fs = std::filesystem;

/// Each name and a zero: names may hold newlines.
std::string list_of(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list.append(name).push_back('\0');
  return list;
}

}  // namespace

program_run::program_run(session& m, const build::suite& suite, const build::test_program& program,
                         const std::vector<frameworks::listed_case>& cases)
    : m_(m), suite_(suite), program_(program), tables_(m, suite.name), programs_(m, suite.name), inputs_(m) {
  const std::uint32_t id = m.writer.program({suite.name, program.target});
  startup_ = m.writer.test(id, "", "");
  for (const auto& c : cases) {
    if (c.disabled) continue;
    known_test& known = tests_[c.case_name];
    known.id = m.writer.test(id, c.case_name, c.name);
    known.listed.push_back(&c);
    if (known.listed.size() == 1) order_.push_back(&c);
    if (!c.file.empty())
      registrations_.insert({fs::path(c.file).lexically_normal().string(), static_cast<std::uint32_t>(c.line)});
  }
}

result<program_totals> program_run::run() {
  auto measured = run_all();
  if (!measured || system::interrupted()) return measured;
  // What the first run found stands.
  if (auto repeated = repeat(); !repeated) m_.told.warn(fmt::format("no test is repeated: {}", repeated.error()));
  return totals_;
}

result<program_totals> program_run::run_all() {
  if (m_.probes != nullptr || has_counter_files(m_.twin) ||
      (m_.isolated == isolation::process && framework_ != nullptr))
    return run_apart();
  while (true) {
    const std::vector<std::string> left = unmeasured();
    if (left.empty() && m_.writer.is_measured(startup_)) return totals_;
    const auto ended = run_once(left);
    if (!ended) return tl::unexpected(ended.error());
    if (has_threads_) {
      m_.told.status(
          fmt::format("suite '{}': '{}' has threads before its first test: it is started once for every test",
                      suite_.name, program_.target));
      return run_apart();
    }
    if (system::interrupted()) return totals_;
    if (*ended) {
      for (const std::string& name : unmeasured())
        m_.told.warn(fmt::format("suite '{}': the program did not run '{}'; it stays unmeasured and always runs",
                                 suite_.name, name));
      return totals_;
    }
    // The program itself died. The test that was running is the likely cause; go on behind it.
    if (running_.empty())
      return tl::unexpected(fmt::format("suite '{}': '{}' ended outside its tests ({}); its output is in '{}'",
                                        suite_.name, program_.executable.string(), last_end_, log().string()));
    gcov::row_record lost;
    lost.test = running_;
    lost.outcome = morph_stream::crashed;
    lost.incomplete = morph_stream::ended_early;
    add_row(lost);
    put_row(running_);
  }
}

result<void> program_run::repeat() {
  std::vector<std::string> names;
  store::measured_test longest;
  // Without isolation a test does what those before it left to do; the compiler's gcov takes longer than the tests.
  if (m_.isolated == isolation::none || has_counter_files(m_.twin)) return {};
  for (const auto* c : order_)
    if (const auto first = first_rows_.find(c->case_name);
        first != first_rows_.end() && m_.again->take(first->second.facts)) {
      names.push_back(c->case_name);
      if (first->second.facts.wall_us > longest.wall_us) longest = first->second.facts;
    }
  if (names.empty()) return {};
  repeat_limit_ = limit_of_repeat(longest, time_limit());
  is_repeating_ = true;
  if (!is_apart_) {
    const auto ended = run_once(names);
    if (!ended) return tl::unexpected(ended.error());
    gcov::row_record lost;
    lost.test = running_;
    lost.outcome = morph_stream::crashed;
    if (!*ended && !running_.empty()) add_row(lost);
    return {};
  }
  for (const std::string& name : names) {
    auto row = run_case_apart(name);
    if (!row) return tl::unexpected(row.error());
    if (system::interrupted()) break;
    known_test& test = tests_.at(name);
    test.facts = row->facts;
    test.elements = std::move(row->elements);
    compare_with_first(name);
  }
  return {};
}

std::vector<std::string> program_run::unmeasured() const {
  std::vector<std::string> names;
  for (const auto* c : order_)
    if (const std::uint32_t id = tests_.at(c->case_name).id; !m_.writer.is_measured(id) && m_.left_out.count(id) == 0)
      names.push_back(c->case_name);
  return names;
}

std::filesystem::path program_run::log() const {
  return m_.twin.own_dir() / "measure" / fmt::format("{}.{}.log", suite_.name, program_.target);
}

result<system::command> program_run::make_command(const std::vector<std::string>& chosen) {
  if (auto emptied = system::write_file_atomically(log(), ""); !emptied) return tl::unexpected(emptied.error());
  system::command c;
  c.arguments = {program_.executable.string()};
  const auto arguments = frameworks::with_arguments(framework_, suite_.extra_args, chosen);
  c.arguments.insert(c.arguments.end(), arguments.begin(), arguments.end());
  c.directory = suite_.working_directory.string();
  if (framework_ != nullptr) {
    for (const std::string& name : framework_->variables) c.environment.emplace_back(name, std::nullopt);
    if (!framework_->silence.first.empty()) c.environment.push_back(framework_->silence);
  }
  for (const std::string& entry : suite_.environment) {
    const auto equals = std::min(entry.find('='), entry.size());
    if (framework_ != nullptr && frameworks::divides_tests(entry.substr(0, equals))) continue;
    c.environment.emplace_back(entry.substr(0, equals), entry.substr(std::min(equals + 1, entry.size())));
  }
  if (m_.probes != nullptr) {
    m_.probes->begin(c);
    if (suite_.framework == "doctest" && system::is_static_program(program_.executable))
      c.arguments.emplace_back(system::no_stops_of_doctest);
  } else {
    const auto kept_apart = system::counters_kept_in(files_ ? fs::path(files_->begin()) : fresh_gcda_prefix(m_));
    c.environment.insert(c.environment.end(), kept_apart.begin(), kept_apart.end());
  }
  c.output_file = log().string();
  return c;
}

result<bool> program_run::run_once(const std::vector<std::string>& names) {
  const fs::path list = m_.twin.own_dir() / "measure" / fmt::format("{}.{}.tests", suite_.name, program_.target);
  if (auto written = system::write_file_atomically(list, list_of(names)); !written)
    return tl::unexpected(written.error());
  auto made = make_command();
  if (!made) return tl::unexpected(made.error());
  system::command& c = *made;
  c.environment.emplace_back("MORPH_COVERAGE_TIMEOUT", fmt::format("{}", time_limit()));
  c.environment.emplace_back("MORPH_COVERAGE_TESTS", list.string());
  c.environment.emplace_back("MORPH_COVERAGE_TEST", framework_ == nullptr ? program_.target : "");
  const bool in_process = m_.isolated == isolation::none && framework_ != nullptr;
  if (in_process) c.environment.emplace_back("MORPH_COVERAGE_ISOLATION", "none");
  c.stream_variable = "MORPH_COVERAGE_FD";

  gcov::stream_reader reader;
  tables_ = program_tables(m_, suite_.name);
  for (auto& [name, known] : tests_) known.forget();
  started_ = false;
  running_.clear();
  pending_.reset();
  used_.clear();
  used_outside_tests_.clear();
  read_.clear();
  read_outside_tests_ = inputs_.libraries(program_.executable.string(), c);
  std::string error;
  inputs_.watch(c, [&](bool by_program) -> used_files& {
    return (by_program && !in_process) || running_.empty() ? used_outside_tests_ : used_;
  });
  c.on_stream = [&](std::string_view bytes) {
    reader.feed(bytes);
    while (true) {
      auto record = reader.next();
      if (!record) error = record.error();
      if (!record || !*record) return error.empty();
      if (const auto* read = std::get_if<gcov::variables_record>(&**record))
        add_elements(running_.empty() ? read_outside_tests_ : read_, inputs_.variables(read->names, c));
      if (auto taken = take(**record); !taken) {
        error = taken.error();
        return false;
      }
    }
  };
  const system::process_end end = system::run(c);
  inputs_.check(end);
  last_end_ = system::describe(end, c.timeout);
  if (!error.empty()) return tl::unexpected(fmt::format("suite '{}': {}", suite_.name, error));
  if (end.how == system::process_end::kind::not_started)
    return tl::unexpected(fmt::format("suite '{}': '{}': {}", suite_.name, program_.executable.string(), last_end_));
  has_threads_ = end.how == system::process_end::kind::exited && end.code == threads_status && !started_;
  if (has_threads_) return false;
  if (end.how == system::process_end::kind::exited && end.code == unsupported_status && !reader.ended()) {
    const auto said = system::read_file(log());
    return tl::unexpected(
        fmt::format("suite '{}': '{}' cannot be measured: {}", suite_.name, program_.target, said ? *said : ""));
  }
  finish_pending();
  return reader.ended();
}

}  // namespace morph::measuring
