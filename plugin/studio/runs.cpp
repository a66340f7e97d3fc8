// Starting, reading, ending.
#include "plugin/studio/runs.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>
#include <regex>
#include <string_view>
#include <utility>

#include "plugin/studio/descendants.hpp"
#include "plugin/system/child_process.hpp"
#include "plugin/system/process.hpp"

namespace morph::studio {
namespace {

using nlohmann::json;

constexpr std::size_t pipe_bytes = 65536;
/// Set for the steps of a script: what they do is not recorded once more.
constexpr const char* script_variable = "MORPH_SCRIPT";
/// Of what an ended process left in its pipes: others may still write there.
constexpr int most_last_reads = 32;

/// A file that goes with its descriptor; what is written is added to its end.
result<system::descriptor> nameless_file(const std::filesystem::path& folder) {
  std::string name = (folder / "studio-XXXXXX").string();
  system::descriptor file(::mkostemp(name.data(), O_CLOEXEC | O_APPEND));
  if (file.get() < 0) return tl::unexpected(fmt::format("cannot write '{}': {}", name, std::strerror(errno)));
  ::unlink(name.c_str());
  return file;
}

std::size_t size_of(const system::descriptor& file) {
  struct stat facts {};
  return ::fstat(file.get(), &facts) == 0 ? static_cast<std::size_t>(facts.st_size) : 0;
}

/// What a full disk does not take is missing.
void write_all(const system::descriptor& to, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = ::write(to.get(), text.data(), text.size());
    if (size < 0 && errno != EINTR) return;
    if (size > 0) text.remove_prefix(static_cast<std::size_t>(size));
  }
}

std::string now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

void kill_with_descendants(pid_t process) {
  ::kill(process, SIGSTOP);  // it starts no more meanwhile
  const std::vector<pid_t> below = descendants_of(process);
  ::kill(-process, SIGKILL);
  for (const pid_t each : below) ::kill(each, SIGKILL);
}

json or_null(const std::optional<int>& value) {
  return value ? json(*value) : json();
}

}  // namespace

json as_json(const run& of) {
  return {{"id", of.id},
          {"line", of.line},
          {"arguments", of.arguments},
          {"state", of.has_ended ? "ended" : "running"},
          {"exit", or_null(of.exit)},
          {"signal", or_null(of.signal)},
          {"started", of.started}};
}

runs::runs(event_log& log, std::filesystem::path folder, run_limits limits)
    : log_(log), folder_(std::move(folder)), limits_(limits) {}

result<const run*> runs::start(const program_start& what) {
  if (running() >= limits_.most_running)
    return tl::unexpected(fmt::format("{} commands run already; stop one, or wait for its end", limits_.most_running));
  run made{.line = what.line, .arguments = what.arguments, .started = now()};
  auto output = nameless_file(folder_);
  if (!output) return tl::unexpected(output.error());
  made.output = std::move(*output);
  auto errors = system::make_pipe(), progress = system::make_pipe();
  auto printed = what.is_ctest ? system::make_pipe() : system::pipe_ends{};
  if (!errors || !progress || !printed)
    return tl::unexpected(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  const system::child_setup how{.arguments = what.words(progress->write.get()),
                                .program = what.program,
                                .environment = what.is_recorded ? system::environment_changes{}
                                                                : system::environment_changes{{script_variable, ""}},
                                .out = what.is_ctest ? printed->write.get() : made.output.get(),
                                .err = errors->write.get(),
                                .kept = progress->write.get(),
                                .has_no_input = true,
                                .leads_group = true,
                                .has_default_signals = true,
                                .signal_at_our_end = SIGTERM};
  auto started = system::start_child(how);
  if (!started) return tl::unexpected(fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (const int why = started->await_program(); why != 0)
    return tl::unexpected(fmt::format("cannot run '{}': {}", what.program, std::strerror(why)));
  made.process = started->process();
  made.errors = std::move(errors->read);
  made.progress = std::move(progress->read);
  made.printed = std::move(printed->read);
  for (const system::descriptor* each : {&made.errors, &made.progress, &made.printed})
    ::fcntl(each->get(), F_SETFL, O_NONBLOCK);
  made.id = ++last_id_;
  runs_.push_back(std::move(made));
  log_.add({{"type", "run-started"}, {"run", as_json(runs_.back())}});
  return &runs_.back();
}

const run* runs::find(std::uint64_t id) const {
  const auto found = std::ranges::find(runs_, id, &run::id);
  return found == runs_.end() ? nullptr : &*found;
}

run* runs::find_running(std::uint64_t id) {
  const auto found = std::ranges::find(runs_, id, &run::id);
  return found == runs_.end() || found->has_ended ? nullptr : &*found;
}

std::size_t runs::running() const {
  return static_cast<std::size_t>(std::ranges::count(runs_, false, &run::has_ended));
}

bool runs::stop(std::uint64_t id) {
  run* const found = find_running(id);
  if (found == nullptr) return false;
  if (found->is_interrupted)
    kill_with_descendants(found->process);
  else
    ::kill(-found->process, SIGINT);
  found->is_interrupted = true;
  return true;
}

void runs::interrupt_all() {
  for (const run& each : runs_)
    if (!each.has_ended) ::kill(-each.process, SIGINT);
}

void runs::kill_all() {
  for (const run& each : runs_)
    if (!each.has_ended) kill_with_descendants(each.process);
}

bool runs::read(std::uint64_t id, channel from) {
  run* const found = find_running(id);
  return found != nullptr && read(*found, from);
}

bool runs::read(run& of, channel from) {
  const system::descriptor& pipe = from == channel::errors     ? of.errors
                                   : from == channel::progress ? of.progress
                                                               : of.printed;
  std::array<char, pipe_bytes> bytes;
  const ssize_t got = ::read(pipe.get(), bytes.data(), bytes.size());
  if (got < 0) return errno == EAGAIN || errno == EINTR;
  const std::string_view text(bytes.data(), static_cast<std::size_t>(got));
  switch (from) {
    case channel::errors:
      of.error_lines.read(text, [&](std::string_view line) { take_message(of, line); });
      break;
    case channel::progress:
      of.progress_lines.read(text, [&](std::string_view line) { take_progress(of, line); });
      break;
    case channel::printed:
      write_all(of.output, text);
      of.printed_lines.read(text, [&](std::string_view line) { take_line_of_ctest(of, line); });
  }
  return got > 0;
}

void runs::take_message(const run& of, std::string_view line) {
  log_.add({{"type", "message"}, {"id", of.id}, {"text", line}});
}

void runs::take_progress(const run& of, std::string_view line) {
  const json said = json::parse(line, nullptr, false);
  if (!said.is_object() || !said.contains("done") || !said["done"].is_number_unsigned()) return;
  json event{{"type", "progress"}, {"id", of.id}};
  for (const char* member : {"doing", "done", "total", "unit"})
    if (said.contains(member)) event[member] = said[member];
  log_.add(event);
}

/// " 12/90 Test  #7: name ....   Passed    0.01 sec"
void runs::take_line_of_ctest(const run& of, std::string_view line) {
  static const std::regex result(R"(^ *([0-9]{1,9})/([0-9]{1,9}) Test +#.*)", std::regex::optimize);
  if (std::cmatch m; line.size() < 1000 && std::regex_match(line.data(), line.data() + line.size(), m, result))
    log_.add({{"type", "progress"},
              {"id", of.id},
              {"doing", "running tests"},
              {"done", std::stoul(m[1])},
              {"total", std::stoul(m[2])},
              {"unit", "tests"}});
  take_message(of, line);
}

std::vector<std::uint64_t> runs::note_ends() {
  std::vector<std::uint64_t> ended;
  for (run& each : runs_) {
    if (each.has_ended) continue;
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(each.process), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        info.si_pid != each.process)
      continue;
    end(each);
    ended.push_back(each.id);
  }
  if (!ended.empty()) drop_old();
  return ended;
}

/// Of one that is a zombie: until it is waited for no other process group has its number.
void runs::end(run& of) {
  ::kill(-of.process, SIGKILL);
  const system::process_end end = system::end_of(system::wait_for_end(of.process));
  for (const channel each : {channel::errors, channel::progress, channel::printed})
    for (int i = 0; i < most_last_reads && read(of, each) && errno != EAGAIN; ++i) errno = 0;
  of.error_lines.end([&](std::string_view line) { take_message(of, line); });
  of.printed_lines.end([&](std::string_view line) { take_line_of_ctest(of, line); });
  of.has_ended = true;
  of.errors.close();
  of.progress.close();
  of.printed.close();
  (end.how == system::process_end::kind::exited ? of.exit : of.signal) = end.code;
  log_.add({{"type", "run-ended"}, {"run", as_json(of)}});
}

void runs::check_outputs() {
  for (run& each : runs_) {
    if (each.has_ended || each.is_interrupted || size_of(each.output) <= limits_.most_output) continue;
    take_message(each, fmt::format("stopped: its output is longer than {} MiB", limits_.most_output >> 20));
    each.is_interrupted = true;
    kill_with_descendants(each.process);
  }
}

void runs::drop_old() {
  std::size_t count = 0, bytes = 0;
  for (auto at = runs_.rbegin(); at != runs_.rend();) {
    const bool is_too_much =
        at->has_ended && (++count > limits_.most_runs || (bytes += size_of(at->output)) > limits_.most_kept_output);
    if (is_too_much && count > 1)
      at = std::make_reverse_iterator(runs_.erase(std::next(at).base()));
    else
      ++at;
  }
}

}  // namespace morph::studio
