// The processes of a batch, and what became of its cases.
#include "plugin/frameworks/batch_runner.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "plugin/frameworks/framework.hpp"
#include "plugin/spool/recording.h"
#include "plugin/spool/series.hpp"
#include "plugin/system/process.hpp"
#include "plugin/system/static_program.hpp"

namespace morph::frameworks {
namespace {

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;
using case_verdict = case_result::verdict;
using kind = case_event::kind;

constexpr std::size_t kept_output = 16 * 1024;   // bytes of a case's output, its end
constexpr std::size_t longest_line = 64 * 1024;  // bytes that wait for a newline
constexpr int most_barren = 3;  // processes of one case each that end without a word, until the program is given up

/// A folder of this process alone, removed with what it holds.
class scratch_folder {
 public:
  explicit scratch_folder(const batch& b) : path_(b.own_dir / "batches" / fmt::format("{}.{}", b.entry, ::getpid())) {}
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  ~scratch_folder() { empty(); }
  const fs::path& empty() const {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    return path_;
  }

 private:
  fs::path path_;
};

/// The suite's environment is there already if ctest has started us, with ENVIRONMENT_MODIFICATION applied.
std::vector<std::pair<std::string, std::optional<std::string>>> environment_of(const batch& b) {
  std::vector<std::pair<std::string, std::optional<std::string>>> changes;
  const auto is_the_suites = [&](const std::string& name) {
    return std::any_of(b.environment.begin(), b.environment.end(),
                       [&](const std::string& entry) { return entry.substr(0, entry.find('=')) == name; });
  };
  const framework* const known = find_framework(b.framework);
  if (known != nullptr)
    for (const std::string& name : known->variables)
      if (!is_the_suites(name) || divides_tests(name)) changes.emplace_back(name, std::nullopt);
  for (const std::string& entry : b.environment) {
    const std::string name = entry.substr(0, entry.find('='));
    if (known != nullptr && divides_tests(name)) continue;
    if (std::getenv(name.c_str()) == nullptr)
      changes.emplace_back(name, entry.substr(std::min(entry.size(), name.size() + 1)));
  }
  return changes;
}

/// What one case needs to be recorded.
void add_recording(const batch& b, const std::string& record, system::environment_changes& to) {
  for (const std::string& entry : b.recording) {
    const auto equals = entry.find('=');
    const std::string name = entry.substr(0, equals);
    std::string value = equals == std::string::npos ? record : entry.substr(equals + 1);
    const char* const already = name == "LD_PRELOAD" ? std::getenv(name.c_str()) : nullptr;
    if (already != nullptr && *already != '\0') value += std::string(":") + already;
    to.emplace_back(name, std::move(value));
  }
}

class program_runner {
 public:
  program_runner(const batch& b, const batched_program& program, const scratch_folder& scratch,
                 const std::function<void(std::string_view)>& show,
                 const std::function<void(const case_result&)>& on_failure, batch_result& into)
      : b_(b), program_(program), scratch_(scratch), show_(show), on_failure_(on_failure), into_(into) {}

  void run() {
    // Those first that are recorded, each in a process of its own: a fork() of one program, or else a new one.
    std::vector<std::string> left;
    std::map<std::string, std::string> records;
    for (const batched_case& c : program_.cases) {
      if (c.record.empty()) continue;
      left.push_back(c.case_name);
      records[c.case_name] = c.record;
    }
    run_series(left, records);
    std::erase_if(left, [&](const std::string& name) { return results_.count(name) != 0; });
    for (const batched_case& c : program_.cases)
      if (c.record.empty()) left.push_back(c.case_name);
    while (!left.empty() && !given_up_ && !system::interrupted()) {
      known_ = find_framework(b_.framework);
      if (known_ == nullptr) {
        give_up(fmt::format("programs of the framework '{}' cannot be run in batches", b_.framework));
        break;
      }
      framework_ = known_->make_runner();
      const auto record = records.find(left.front());
      const bool is_alone = one_by_one_ || record != records.end();
      const std::size_t number = is_alone ? 1 : std::min(framework_->takes(left), left.size());
      run_once(std::span(left).first(number), record == records.end() ? std::string() : record->second);
      std::erase_if(left, [&](const std::string& name) { return results_.count(name) != 0; });
    }
    for (const std::string& name : left)
      if (given_up_) record(name, case_verdict::not_run, *given_up_);
    for (const batched_case& c : program_.cases)
      if (auto at = results_.find(c.case_name); at != results_.end()) {
        into_.cases.push_back(at->second);
        into_.cases.back().name = c.name;
      }
  }

 private:
  /// What is known of a case of the process under way.
  struct observation {
    bool started = false;
    std::optional<kind> ended;
    double seconds = 0;
    std::int64_t at = 0;
    std::string message;
    std::string output;
  };

  std::chrono::milliseconds timeout() const {
    return std::chrono::milliseconds(static_cast<std::int64_t>(b_.timeout * 1000));
  }
  std::string program() const { return fmt::format("'{}'", program_.executable.string()); }

  void run_once(std::span<const std::string> cases, const std::string& recorded) {
    const auto arguments = framework_->arguments(cases, scratch_.empty());
    if (!arguments) return give_up(arguments.error());
    system::environment_changes recording;
    if (!recorded.empty()) add_recording(b_, recorded, recording);
    const system::process_end end = run_process(cases, *arguments, recording, [&] { take_progress(); });
    if (end.how == system::process_end::kind::not_started)
      return give_up(fmt::format("{} {}", program(), system::describe(end, timeout())));
    if (end.how == system::process_end::kind::interrupted) return record_ended(cases);
    const auto report = framework_->read_report();
    if (end.how == system::process_end::kind::exited && report)
      finish(cases, *report, end);
    else
      finish_cut_off(cases, end);
  }

  /// `tell`: what has happened since it was asked last, asked several times a second.
  system::process_end run_process(std::span<const std::string> cases, const std::vector<std::string>& own_arguments,
                                  const system::environment_changes& recording, const std::function<void()>& tell) {
    seen_.clear();
    for (const std::string& name : cases) seen_[name];
    running_.clear();
    group_.clear();
    line_.clear();
    since_start_.clear();
    limit_ = clock::now() + timeout();

    system::command c;
    c.arguments = {program_.executable.string()};
    const auto all = with_arguments(known_, b_.extra_args, own_arguments);
    c.arguments.insert(c.arguments.end(), all.begin(), all.end());
    c.directory = b_.working_directory.string();
    c.environment = environment_of(b_);
    c.environment.insert(c.environment.end(), recording.begin(), recording.end());
    if (!recording.empty() && is_static_) {
      c.arguments.insert(c.arguments.begin(), system::tracer_beside(preloaded()));
      if (b_.framework == "doctest") c.arguments.emplace_back(system::no_stops_of_doctest);
    }
    c.on_output = [&](std::string_view piece) {
      show_(piece);
      take_output(piece);
    };
    c.deadline = [&] {
      tell();
      return limit_;
    };
    system::process_end end = system::run(c);
    if (!line_.empty()) take_line(line_);
    tell();
    return end;
  }

  /// Of the cases that are recorded, in order. What has no result then needs a new process.
  void run_series(std::vector<std::string> left, const std::map<std::string, std::string>& records) {
    known_ = find_framework(b_.framework);
    while (known_ != nullptr && !is_static_ && left.size() > 1 && !system::interrupted()) {
      framework_ = known_->make_runner();
      const fs::path& scratch = scratch_.empty();
      const auto arguments = framework_->series_arguments(left, scratch, b_.extra_args);
      const auto before = left.size();
      std::optional<system::process_end> ended;
      if (!arguments)
        ended = run_series_of_main(left, records, scratch);
      else if (*arguments)
        ended = run_series_of_framework(left, records, scratch, **arguments);
      if (!ended) return;
      std::erase_if(left, [&](const std::string& name) { return results_.count(name) != 0; });
      const bool ended_before = ended->how != system::process_end::kind::exited;
      if (left.size() == before || !ended_before) return;
    }
  }

  /// libmorph_probe.so
  const char* preloaded() const {
    constexpr std::string_view name = "LD_PRELOAD=";
    for (const std::string& entry : b_.recording)
      if (entry.starts_with(name)) return entry.c_str() + name.size();
    return "";
  }

  system::environment_changes recording_of_series(const std::string& a_record, const fs::path& file) const {
    system::environment_changes recording{{"MORPH_PROBES_SERIES", file.string()}, {"LD_BIND_NOW", "1"}};
    add_recording(b_, (fs::path(a_record).parent_path() / morph_probe::test_of_series).string(), recording);
    return recording;
  }

  /// Nothing: no result counts.
  std::optional<system::process_end> run_series_of_framework(std::span<const std::string> cases,
                                                             const std::map<std::string, std::string>& records,
                                                             const fs::path& scratch,
                                                             const std::vector<std::string>& arguments) {
    std::vector<spool::series_member> members;
    for (const std::string& name : cases) members.push_back({name, fs::path(records.at(name)).filename().string()});
    const auto series = spool::series_file::make(scratch / "series", members);
    if (!series) return std::nullopt;
    const auto recording = recording_of_series(records.at(cases.front()), scratch / "series");
    const system::process_end end = run_process(cases, arguments, recording, [&] { take_progress(); });
    return finish_series(cases, *series, end) ? std::optional(end) : std::nullopt;
  }

  /// main() runs for each case, as if it were asked for that one alone: a report each.
  std::optional<system::process_end> run_series_of_main(std::span<const std::string> cases,
                                                        const std::map<std::string, std::string>& records,
                                                        const fs::path& scratch) {
    std::vector<std::unique_ptr<framework_runner>> runners;
    std::vector<spool::series_member> members;
    for (const std::string& name : cases) {
      runners.push_back(known_->make_runner());
      const auto own = runners.back()->arguments(std::span(&name, 1), scratch / std::to_string(members.size()));
      if (!own) return std::nullopt;
      members.push_back(
          {name, fs::path(records.at(name)).filename().string(), with_arguments(known_, b_.extra_args, *own)});
    }
    const auto series = spool::series_file::make(scratch / "series", members);
    if (!series) return std::nullopt;
    std::uint32_t running = 0;
    const auto tell = [&] {
      if (const std::uint32_t now = series->running(); now != running) {
        running = now;
        limit_ = clock::now() + timeout();
      }
      for (std::size_t i = 0; i < cases.size(); ++i)
        if (series->is_over(i) && runners[i] != nullptr)
          finish_case(cases[i], *series, i, std::exchange(runners[i], nullptr));
    };
    const system::process_end end =
        run_process(cases, {}, recording_of_series(records.at(cases.front()), scratch / "series"), tell);
    for (std::size_t i = 0; i < cases.size(); ++i)
      if (series->has_begun(i) && !series->is_over(i) && end.how == system::process_end::kind::timed_out)
        record(cases[i], case_verdict::timed_out, system::describe(end, timeout()),
               std::chrono::duration<double>(timeout()).count(), std::time(nullptr), tail());
    return end;
  }

  /// One without a report runs again, in a process of its own.
  void finish_case(const std::string& name, const spool::series_file& series, std::size_t number,
                   std::unique_ptr<framework_runner> runner) {
    framework_.swap(runner);
    const system::process_end end = system::end_of(series.status(number));
    if (end.how == system::process_end::kind::exited) {
      take_progress();
      if (const auto report = framework_->read_report()) finish(std::span(&name, 1), *report, end);
    }
    framework_.swap(runner);
  }

  /// False if the output does not say which case runs: then no result counts.
  bool finish_series(std::span<const std::string> cases, const spool::series_file& series,
                     const system::process_end& program_end) {
    for (std::size_t i = 0; i < cases.size(); ++i)
      if (series.is_over(i) && WIFEXITED(series.status(i)) && !seen_[cases[i]].started) return false;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const bool is_over = series.is_over(i);
      if (!series.has_begun(i) || (!is_over && program_end.how == system::process_end::kind::interrupted)) continue;
      const system::process_end end = is_over ? system::end_of(series.status(i)) : program_end;
      observation& o = seen_[cases[i]];
      if (!o.ended) {
        const bool timed_out = end.how == system::process_end::kind::timed_out;
        record(cases[i], timed_out ? case_verdict::timed_out : case_verdict::crashed, system::describe(end, timeout()),
               o.seconds, std::time(nullptr), running_ == cases[i] ? tail() : o.output);
        continue;
      }
      if (*o.ended != kind::passed) o.message = framework_->message_in(o.output);
      const bool is_bad = *o.ended == kind::failed || *o.ended == kind::crashed;
      const bool is_good_end = end.how == system::process_end::kind::exited && (end.code == 0 || is_bad);
      if (!is_good_end)
        complain(end,
                 end.how == system::process_end::kind::exited ? ", though no case failed" : " after its last case");
      record(cases[i], o);
    }
    return true;
  }

  void take_output(std::string_view piece) {
    while (!piece.empty()) {
      const auto end = piece.find('\n');
      line_ += piece.substr(0, end);
      piece.remove_prefix(end == std::string_view::npos ? piece.size() : end + 1);
      if (end == std::string_view::npos && line_.size() < longest_line) return;
      take_line(line_);
      line_.clear();
    }
  }

  void take_line(const std::string& line) {
    since_start_ += line + '\n';
    if (since_start_.size() > 2 * kept_output) since_start_.erase(0, since_start_.size() - kept_output);
    take(framework_->read_line(line));
  }

  void take_progress() {
    const auto events = framework_->read_progress();
    take(events);
    if (framework_->shows_failures()) return;
    for (const case_event& event : events)
      if (event.what == kind::failed || event.what == kind::crashed)
        show_(fmt::format("{} failed:\n{}\n", event.name, event.message));
  }

  void take(const std::vector<case_event>& events) {
    for (const case_event& event : events) {
      limit_ = clock::now() + timeout();
      if (event.what == kind::group) {
        group_ = event.name;
        running_.clear();
        continue;
      }
      const auto at = seen_.find(event.name);
      if (event.what == kind::started) {
        leave_running();
        running_ = event.name;
        started_at_ = clock::now();
        since_start_.clear();
      }
      if (at == seen_.end()) continue;
      observation& o = at->second;
      if (event.what == kind::started) {
        o.started = true;
        continue;
      }
      end(o, event);
      if (event.what == kind::failed || event.what == kind::crashed) tell_failure(event.name, o);
      if (running_ == event.name) running_.clear();
    }
  }

  /// It has not come to its end, though another case begins.
  void leave_running() {
    const auto at = seen_.find(running_);
    if (at == seen_.end()) return;
    at->second.output = tail();
    at->second.seconds = std::chrono::duration<double>(clock::now() - started_at_).count();
  }

  void end(observation& o, const case_event& event) const {
    o.at = std::time(nullptr);
    o.seconds = event.seconds.value_or(std::chrono::duration<double>(clock::now() - started_at_).count());
    if (o.ended == kind::failed || o.ended == kind::crashed) return;  // a program may run its cases several times
    o.ended = event.what;
    if (!event.message.empty()) o.message = event.message;
    if (event.what != kind::passed) o.output = tail();
  }

  void tell_failure(const std::string& case_name, const observation& o) const {
    for (const batched_case& c : program_.cases)
      if (c.case_name == case_name) on_failure_({c.name, case_verdict::failed, o.seconds, o.at, "", ""});
  }

  std::string tail() const {
    return since_start_.size() <= kept_output ? since_start_ : since_start_.substr(since_start_.size() - kept_output);
  }

  void record(const std::string& case_name, case_verdict how, std::string message, double seconds = 0,
              std::int64_t at = std::time(nullptr), std::string output = "") {
    results_[case_name] = {"", how, seconds, at, std::move(message), std::move(output)};
  }

  void record(const std::string& case_name, const observation& o) {
    const case_verdict how = *o.ended == kind::passed    ? case_verdict::passed
                             : *o.ended == kind::failed  ? case_verdict::failed
                             : *o.ended == kind::crashed ? case_verdict::crashed
                                                         : case_verdict::skipped;
    record(case_name, how, o.message, o.seconds, o.at, o.output);
  }

  void record_ended(std::span<const std::string> cases) {
    for (const std::string& name : cases)
      if (const observation& o = seen_[name]; o.ended) record(name, o);
  }

  void complain(const system::process_end& end, const std::string& when) {
    into_.complaints.push_back(fmt::format("{}: {}{}", program(), system::describe(end, timeout()), when));
  }

  /// The program got to its end and says in its report what became of every case.
  void finish(std::span<const std::string> cases, const std::vector<case_event>& report,
              const system::process_end& process) {
    std::unordered_map<std::string, case_event> told;
    bool any_failed = false, all_skipped = true;
    for (const case_event& event : report) {
      const bool failed = event.what == kind::failed || event.what == kind::crashed;
      any_failed = any_failed || failed;
      all_skipped = all_skipped && event.what == kind::skipped;
      const auto [at, added] = told.try_emplace(event.name, event);
      if (!added && failed) at->second = event;
    }
    // What the output said can be an imitation; a report, that of the last of several rounds.
    const bool output_counts = process.code != 0 && !any_failed;
    for (const std::string& name : cases) {
      observation o = std::move(seen_[name]);
      const auto at = told.find(name);
      if (at == told.end()) {
        record(name, case_verdict::not_run, "the program did not run it");
        any_failed = true;
        continue;
      }
      const bool failed_before = output_counts && o.ended == kind::failed;
      if (!failed_before) {
        o.ended = at->second.what;
        if (!at->second.message.empty()) o.message = at->second.message;
        if (at->second.what == kind::passed) o.output.clear();
      }
      any_failed = any_failed || failed_before;
      if (o.at == 0) o.at = std::time(nullptr);
      if (at->second.seconds.value_or(0) > 0) o.seconds = *at->second.seconds;
      record(name, o);
    }
    if (!framework_->is_good(process.code, all_skipped) && !any_failed) complain(process, ", though no case failed");
    barren_ = 0;
  }

  void finish_cut_off(std::span<const std::string> cases, const system::process_end& process) {
    record_ended(cases);
    const bool timed_out = process.how == system::process_end::kind::timed_out;
    const auto number_ended =
        std::count_if(cases.begin(), cases.end(), [&](const auto& name) { return results_.count(name) != 0; });
    const bool any_failed = std::any_of(cases.begin(), cases.end(), [&](const auto& name) {
      return results_.count(name) != 0 && results_[name].is_bad();
    });
    const bool all_ended = static_cast<std::size_t>(number_ended) == cases.size();
    if (const auto running = seen_.find(running_); running != seen_.end()) {
      const double seconds = std::chrono::duration<double>(clock::now() - started_at_).count();
      record(running_, timed_out ? case_verdict::timed_out : case_verdict::crashed,
             system::describe(process, timeout()), seconds, std::time(nullptr), tail());
      barren_ = 0;
    } else if (all_ended) {
      const bool is_told = std::any_of(cases.begin(), cases.end(),
                                       [&](const auto& name) { return results_[name].how == case_verdict::crashed; });
      const bool harmless =
          is_told || (process.how == system::process_end::kind::exited && (process.code == 0 || any_failed));
      if (!harmless) complain(process, " after its last case");
    } else if (const auto group = unstarted_group(cases); !group.empty()) {
      for (const std::string& name : group)
        record(name, timed_out ? case_verdict::timed_out : case_verdict::crashed,
               fmt::format("{} before it began, in what is set up for '{}'", system::describe(process, timeout()),
                           group_));
      barren_ = 0;
    } else if (number_ended > 0) {
      const bool is_told = std::any_of(cases.begin(), cases.end(), [&](const auto& name) {
        return results_.count(name) != 0 && results_[name].how == case_verdict::crashed;
      });
      if (!is_told) complain(process, " between two cases");
      barren_ = 0;
    } else if (cases.size() > 1) {
      one_by_one_ = true;
    } else {
      const bool died = process.how != system::process_end::kind::exited;
      record(cases.front(),
             !died       ? case_verdict::not_run
             : timed_out ? case_verdict::timed_out
                         : case_verdict::crashed,
             fmt::format("{}, without a word on the case", system::describe(process, timeout())), 0, std::time(nullptr),
             tail());
      if (++barren_ == most_barren)
        give_up(fmt::format("{}: {} before its first case", program(), system::describe(process, timeout())));
    }
  }

  /// The cases of the group under way, if none of them has begun.
  std::vector<std::string> unstarted_group(std::span<const std::string> cases) {
    std::vector<std::string> members;
    if (group_.empty()) return members;
    for (const std::string& name : cases) {
      if (!name.starts_with(group_) || name.substr(group_.size(), 1) != ".") continue;
      if (seen_[name].started) return {};
      members.push_back(name);
    }
    return members;
  }

  void give_up(const std::string& why) {
    into_.complaints.push_back(why);
    given_up_ = why;
  }

  const batch& b_;
  const batched_program& program_;
  const scratch_folder& scratch_;
  const std::function<void(std::string_view)>& show_;
  const std::function<void(const case_result&)>& on_failure_;
  batch_result& into_;
  std::unordered_map<std::string, case_result> results_;  // by the program's own name
  std::optional<std::string> given_up_;
  const bool is_static_ = system::is_static_program(program_.executable);
  bool one_by_one_ = false;  // the program does not tell which case is running
  int barren_ = 0;           // processes of one case in a row that told nothing

  const framework* known_ = nullptr;
  std::unique_ptr<framework_runner> framework_;
  std::unordered_map<std::string, observation> seen_;
  std::string running_, group_, line_, since_start_;
  clock::time_point started_at_, limit_;
};

}  // namespace

const char* name_of(case_result::verdict how) {
  switch (how) {
    case case_verdict::passed:
      return "passed";
    case case_verdict::failed:
      return "failed";
    case case_verdict::skipped:
      return "skipped";
    case case_verdict::crashed:
      return "crashed";
    case case_verdict::timed_out:
      return "timed out";
    case case_verdict::not_run:
      return "not run";
  }
  return "unknown";
}

bool batch_result::good() const {
  return !interrupted && complaints.empty() &&
         std::none_of(cases.begin(), cases.end(), [](const case_result& c) { return c.is_bad(); });
}

batch_result run_batch(const batch& b, const std::function<void(std::string_view)>& show,
                       const std::function<void(const case_result&)>& on_failure) {
  batch_result result;
  const scratch_folder scratch(b);
  for (const batched_program& program : b.programs) program_runner(b, program, scratch, show, on_failure, result).run();
  result.interrupted = system::interrupted();
  return result;
}

}  // namespace morph::frameworks
