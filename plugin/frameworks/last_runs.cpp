// Parser of ctest's log; the cache of verdicts.
#include "plugin/frameworks/last_runs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "plugin/contract/formats.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::frameworks {
namespace {

using nlohmann::json;

/// "12/980"
bool is_position(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789/") == std::string_view::npos;
}

/// Whether the last line of `log` says `"name" end time: ...`. CMake 4.2 gives tests names of several lines.
bool ends_with_end_of(std::string_view log, std::string_view line, std::string_view name) {
  const auto end = line.rfind("\" end time: ");
  if (name.empty() || end == std::string_view::npos) return false;
  log.remove_suffix(line.size() - end);
  if (!log.ends_with(name)) return false;
  log.remove_suffix(name.size());
  return log == "\"" || log.ends_with("\n\"");
}

json to_json(const std::vector<run_outcome>& outcomes) {
  json list = json::array();
  for (const run_outcome& o : outcomes)
    list.push_back({o.name, o.failed, o.seconds, o.at, o.entry, o.suspect,
                    o.passes_since_failure ? json(*o.passes_since_failure) : json(nullptr), o.skipped});
  return list;
}

/// Nothing of a file that is not ours or damaged.
std::vector<run_outcome> read_outcomes(const std::filesystem::path& path, const char* schema) {
  std::vector<run_outcome> outcomes;
  const auto text = system::read_file(path);
  const json known = text ? json::parse(*text, nullptr, false) : json();
  try {
    if (known.is_object() && known.at("schema") == schema)
      for (const json& o : known.at("outcomes"))
        outcomes.push_back(
            {o.at(0), o.at(1).get<bool>(), o.at(2).get<double>(), o.at(3).get<std::int64_t>(), "",
             o.size() > 4 ? o.at(4).get<std::string>() : std::string(), o.size() > 5 && o.at(5).get<bool>(),
             o.size() > 7 && o.at(7).get<bool>(),
             o.size() > 6 && !o.at(6).is_null() ? std::optional(o.at(6).get<std::uint32_t>()) : std::nullopt});
  } catch (const json::exception&) {
    outcomes.clear();
  }
  return outcomes;
}

tl::expected<void, std::string> write_outcomes(const std::filesystem::path& path, const char* schema,
                                               const std::vector<run_outcome>& outcomes) {
  const json all{{"schema", schema}, {"outcomes", to_json(outcomes)}};
  return system::write_file_atomically(path, json_text(all));
}

/// The verdict that takes the place of an older one.
run_outcome after(const run_outcome& older, run_outcome newer) {
  newer.passes_since_failure = older.failed ? 0 : older.passes_since_failure;
  if (newer.failed)
    newer.passes_since_failure = 0;
  else if (newer.passes_since_failure)
    ++*newer.passes_since_failure;
  return newer;
}

/// In the order in which they were left.
std::vector<std::filesystem::path> left_by_batches(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error))
    if (entry->path().extension() == ".json") files.push_back(entry->path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<run_outcome> parse_last_test_log(std::string_view text, std::int64_t at) {
  std::map<std::string, run_outcome, std::less<>> by_name;
  const std::string_view log = text;
  std::string current, program;
  double seconds = 0;
  bool was_run = false, passed = false, skipped = false, verdict_follows = false, reason_follows = false;
  bool name_goes_on = false;
  std::size_t output_at = 0;  // in the log
  while (!text.empty()) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    const std::string_view log_to_line = log.substr(0, log.size() - text.size() + line.size());
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.starts_with("Command: ")) {
      if (name_goes_on) output_at = log_to_line.size();
      name_goes_on = false;
    }
    if (name_goes_on) current.append("\n").append(line);
    if (const auto mark = line.find(" Test: "); mark != std::string_view::npos && is_position(line.substr(0, mark))) {
      current = line.substr(mark + 7);
      name_goes_on = true;
      program.clear();
    }
    // Tests that are disabled or whose program is missing are logged as passed, with an empty command.
    if (line.starts_with("Command: ")) {
      was_run = line != "Command: \"\"";
      if (constexpr std::string_view quoted = "Command: \""; program.empty() && line.starts_with(quoted))
        program = line.substr(quoted.size(), line.find('"', quoted.size()) - quoted.size());
    }
    if (std::exchange(reason_follows, false)) skipped = line.starts_with("Skip regular expression found");
    if (verdict_follows && !line.starts_with("-----")) {
      skipped = false;
      reason_follows = line == "Test Pass Reason:";
      passed =
          line == "Test Passed." || line == "Test Pass Reason:";  // a reason is a regular expression that was found
      verdict_follows = false;
    }
    if (line.starts_with("Test time =")) {
      seconds = std::strtod(std::string(line.substr(11)).c_str(), nullptr);
      verdict_follows = true;
    }
    // A test's own output may imitate all this; the real end of that test comes last.
    if (was_run && ends_with_end_of(log_to_line, line, current))
      by_name[current] = {
          current, !passed, seconds, at, program,
          {},      false,   skipped, {}, passed ? std::string() : std::string(log_to_line.substr(output_at))};
  }
  std::vector<run_outcome> result;
  for (auto& [name, outcome] : by_name) result.push_back(std::move(outcome));
  return result;
}

std::vector<run_outcome> read_last_test_log(const std::filesystem::path& binary_dir) {
  const auto folder = binary_dir / "Testing" / "Temporary";
  std::vector<run_outcome> outcomes;
  // A run that was cut off leaves only the second one. The next ctest empties that before it lists its tests.
  for (const char* name : {"LastTest.log", "LastTest.log.tmp"})
    if (const auto text = system::read_file(folder / name)) {
      auto found = parse_last_test_log(*text, system::modification_time(folder / name));
      outcomes.insert(outcomes.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
    }
  return outcomes;
}

std::filesystem::path runs_dir(const std::filesystem::path& own_dir) {
  return own_dir / "runs";
}

tl::expected<void, std::string> leave_outcomes(const std::filesystem::path& folder, const std::string& entry,
                                               const std::vector<run_outcome>& outcomes) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
  return write_outcomes(folder / fmt::format("{:020}.{}.{}.json", micros, entry, ::getpid()), contract::run_schema,
                        outcomes);
}

std::vector<run_outcome> remember_last_runs(const std::set<std::filesystem::path>& folders,
                                            const std::filesystem::path& runs, const std::filesystem::path& cache,
                                            const std::function<bool(const run_outcome&)>& counts) {
  const auto lock = system::lock_file(cache.string() + ".lock", system::if_locked::wait);
  std::map<std::string, run_outcome> latest;
  bool changed = false;
  const std::int64_t now = std::time(nullptr);
  for (run_outcome& o : read_outcomes(cache, contract::outcomes_schema)) latest[o.name] = std::move(o);
  for (const auto& folder : folders)
    for (const run_outcome& o : read_last_test_log(folder)) {
      if (counts && !counts(o)) continue;
      const auto [at, added] = latest.try_emplace(o.name, o);
      // Times are whole seconds: at equal ones the log is what happened last.
      const bool differs = at->second.failed != o.failed || at->second.skipped != o.skipped;
      // What is of the future was there before the clock was set back.
      const bool is_later = o.at > now ? differs : at->second.at < o.at || at->second.at > now;
      const bool is_news = added || is_later || (at->second.at == o.at && differs);
      if (is_news) at->second = after(added ? run_outcome() : at->second, o);
      changed = changed || is_news;
    }
  const auto files = left_by_batches(runs);
  for (const auto& file : files)
    for (const run_outcome& o : read_outcomes(file, contract::run_schema)) {
      changed = true;
      const auto known = latest.find(o.name);
      if (o.suspect && !o.failed && (known == latest.end() || !known->second.suspect)) continue;
      if (known == latest.end() || known->second.at <= o.at || known->second.at > now)
        latest[o.name] = after(known == latest.end() ? run_outcome() : known->second, o);
    }
  std::vector<run_outcome> result;
  for (auto& [name, o] : latest) {
    changed = changed || o.at > now;
    o.at = std::min(o.at, now);
    result.push_back(std::move(o));
  }
  // A cache that cannot be written remembers one run less; the plan is right all the same.
  const bool remembered = !changed || write_outcomes(cache, contract::outcomes_schema, result).has_value();
  std::error_code ignored;
  if (remembered && lock)
    for (const auto& file : files) std::filesystem::remove(file, ignored);
  return result;
}

}  // namespace morph::frameworks
