// Runs steps in the foreground, and repeats or stops as they say.
#include "plugin/scripting/play.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "plugin/contract/exit_codes.hpp"
#include "plugin/report/tables.hpp"
#include "plugin/scripting/recording.hpp"
#include "plugin/system/foreground_process.hpp"

namespace morph::scripting {
namespace {

using kind = system::process_end::kind;

/// `--name VALUE` pairs, as far as the words have none of that name.
void add_options(std::vector<std::string>& to, const std::vector<std::string>& words,
                 const std::vector<std::string>& options) {
  for (std::size_t i = 0; i + 1 < options.size(); i += 2) {
    const std::string& name = options[i];
    const bool has = std::any_of(words.begin(), words.end(),
                                 [&](const std::string& word) { return word == name || word.starts_with(name + "="); });
    if (!has) to.insert(to.end(), {name, options[i + 1]});
  }
}

void pass_on(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

std::string played_step::status() const {
  if (!end) return "not run";
  switch (end->how) {
    case kind::exited:
      return fmt::format("exit {}{}", end->code, end->code != 0 && step.may_fail ? ", which may be" : "");
    case kind::interrupted:
      return "interrupted";
    case kind::signaled:
      return fmt::format("signal {}", end->code);
    default:
      return "not started";
  }
}

std::vector<std::string> step_command(const script_step& step, const play_options& options) {
  std::vector<std::string> words = options.program;
  words.push_back(step.words.front());
  add_options(words, step.words, options.common);
  if (step.words.front() == "spec") add_options(words, step.words, options.for_specs);
  words.insert(words.end(), step.words.begin() + 1, step.words.end());
  return words;
}

std::vector<played_step> play_steps(const std::vector<script_step>& steps, const play_options& options) {
  std::vector<played_step> played;
  for (const script_step& step : steps) played.push_back({.step = step});
  for (std::size_t i = 0; i < played.size(); ++i) {
    played_step& now = played[i];
    if (options.before) options.before(i);
    const auto start = std::chrono::steady_clock::now();
    system::foreground_command what{
        .arguments = step_command(now.step, options),
        .directory = now.step.folder.string(),
        .environment = {{"MORPH_SEED", std::to_string(now.step.seed)}, {script_variable, options.chain}}};
    if (options.wants_output || !options.passes_output)
      what.on_output = [&](std::string_view bytes) {
        if (options.wants_output) now.output += bytes;
        if (options.passes_output) pass_on(bytes);
      };
    now.end = system::run_in_foreground(what);
    now.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (options.after) options.after(i, now);
    if (now.was_interrupted() || (!now.succeeded() && !now.step.may_fail && !options.keeps_going)) break;
  }
  return played;
}

int play_status(const std::vector<played_step>& played) {
  int worst = contract::fine;
  for (const played_step& each : played) {
    if (!each.end || each.succeeded()) continue;
    if (each.step.may_fail && !each.was_interrupted()) continue;
    worst = std::max(worst, each.end->how == kind::exited ? each.end->code : static_cast<int>(contract::environment));
  }
  return worst;
}

std::string log_head(const std::string& script, const script_variables& given, std::uint64_t seed) {
  std::string text = fmt::format("# script {}\n# seed {}\n", script, seed);
  for (const auto& [name, value] : given) text += "# " + script_line_of({"set", name, "=", value}) + "\n";
  return text;
}

std::string log_line(const played_step& of, bool with_times) {
  return fmt::format("{}: {}: {}{}\n", of.step.place(), of.status(), of.step.text(),
                     with_times ? fmt::format("  # {:.2f} s", of.seconds) : "");
}

std::string message_rows(const played_step& of, std::size_t step) {
  std::string rows;
  std::array<std::string, 6> row{
      of.step.script, std::to_string(of.step.line), std::to_string(step), of.step.text(), of.status(), ""};
  std::string_view rest = of.output;
  do {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    row[5] = rest.substr(0, end);
    if (row[5].ends_with('\r')) row[5].pop_back();
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!row[5].empty()) rows += report::csv_line(row);
  } while (!rest.empty());
  return rows.empty() ? report::csv_line(row) : rows;
}

}  // namespace morph::scripting
