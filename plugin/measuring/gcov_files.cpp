// Asking gcov.
#include "plugin/measuring/gcov_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "coverage/gcov/agreement.hpp"
#include "coverage/gcov/clang_note.hpp"
#include "plugin/measuring/notes.hpp"
#include "plugin/measuring/program_tables.hpp"
#include "plugin/system/files.hpp"

namespace morph::measuring {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using optimizer::requirement_kind;

/// While it exists, processes of the twin leave a file there until they have written their counters.
fs::path running_folder(const build::build_tree& twin) {
  return twin.own_dir() / "measure" / "running";
}

result<void> compare(const std::string& note, const std::string& counters) {
  const auto notes = system::read_file(note), counts = system::read_file(counters);
  if (!notes) return tl::unexpected(notes.error());
  if (!counts) return tl::unexpected(counts.error());
  return gcov::check_agreement(*notes, note, *counts, counters);
}

}  // namespace

bool has_counter_files(const build::build_tree& tree) {
  return tree.counters == "files";
}

result<std::string> describe_counter_files(const build::build_tree& twin) {
  if (auto checked = check_gcov(twin); !checked) return tl::unexpected(checked.error());
  return fmt::format(
      "the counters of {} are read by its own gcov: every test runs in a process of its own, which is slower, and a "
      "change outside of functions selects every test of a program",
      json::parse(twin.configuration, nullptr, false).value("compiler", ""));
}

bool gcov_shows_functions(const build::build_tree& twin, const std::string& note) {
  const auto shown = ask_gcov(twin, {{note, note}});
  return shown.front() && std::any_of(shown.front()->begin(), shown.front()->end(),
                                      [](const auto& file) { return !file.functions.empty(); });
}

std::string counter_files::begin() {
  std::error_code none;
  fs::remove_all(running_folder(m_.twin), none);
  fs::create_directories(running_folder(m_.twin), none);
  // A new name for each: what an earlier test has left behind may write later.
  prefix_ = fmt::format("{}.{}", fresh_gcda_prefix(m_).string(), processes_++);
  return prefix_.string();
}

counter_files::row counter_files::take(const source_places& registrations) {
  row made;
  std::error_code none;
  if (!fs::is_empty(running_folder(m_.twin), none) || none) made.incomplete |= morph_stream::made_process;
  fs::remove_all(running_folder(m_.twin), none);

  std::vector<std::pair<std::string, std::string>> left, unknown;  // path and key
  for (fs::recursive_directory_iterator at(prefix_, none), end; !none && at != end; at.increment(none)) {
    if (at->path().extension() != ".gcda") continue;
    const auto bytes = system::read_file(at->path());
    const std::string key =
        at->path().lexically_relative(prefix_).string() + '\n' + git::blob_hash(bytes ? *bytes : std::string());
    left.emplace_back(at->path().string(), key);
    if (shown_.count(key) == 0) unknown.push_back(left.back());
  }
  ask(unknown);
  for (const auto& [file, line] : registrations)
    if (const auto id = file_of(file); id != outside)
      declared_by_tests_.insert(store::make_element(requirement_kind::line, id, line));
  for (const auto& [path, key] : left) {
    const auto found = shown_.find(key);
    if (found == shown_.end()) {
      made.incomplete |= morph_stream::unknown_unit;
      continue;
    }
    const shown_unit& unit = found->second;
    if (unit.loaded.empty()) made.incomplete |= morph_stream::unknown_unit;
    for (const auto* part : {&unit.loaded, &unit.executed})
      made.elements.insert(made.elements.end(), part->begin(), part->end());
    for (const auto x : unit.declared)
      if (declared_by_tests_.count(x) == 0) made.elements.push_back(x);
  }
  sort_set(made.elements);
  if (left.empty()) made.incomplete |= morph_stream::no_counters;
  fs::remove_all(prefix_, none);
  return made;
}

// gcov looks for the notes beside the counters.
void counter_files::ask(const std::vector<std::pair<std::string, std::string>>& files) {
  std::vector<gcov_question> questions;
  std::vector<std::string> keys;
  for (const auto& [path, key] : files) {
    const auto counters = system::read_file(path);
    const std::string note = notes_of(m_, "/" + fs::path(path).lexically_relative(prefix_).string(),
                                      counters ? stamp_in(*counters).value_or(0) : 0);
    if (const auto agrees = compare(note, path); !agrees) {
      warn(agrees.error());
      continue;
    }
    std::error_code none;
    fs::create_symlink(note, fs::path(path).replace_extension(".gcno"), none);
    questions.push_back({path, note});
    keys.push_back(key);
  }
  if (questions.empty()) return;
  const auto answers = ask_gcov(m_.twin, questions);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (answers[i])
      shown_.emplace(keys[i], read(*answers[i], questions[i].notes));
    else
      warn(answers[i].error());
  }
}

counter_files::shown_unit counter_files::read(const shown_files& answered, const std::string& note) {
  shown_unit unit;
  const auto compiled = m_.dependencies.find(object_of(m_, note));
  const shown_files shown =
      compiled == m_.dependencies.end() ? answered : where_written(answered, note, compiled->second);
  if (const auto known = describe_object_of(m_, note)) {
    unit.loaded.push_back(store::make_element(requirement_kind::unit, 0, m_.writer.unit(*known)));
  } else {
    warn(fmt::format("the build has no record of what '{}' belongs to", note));
  }
  for (const shown_file& file : shown) {
    const std::uint32_t id = file_of(file.path);
    if (id == outside) continue;
    const auto element_of = [&](std::uint32_t line) { return store::make_element(requirement_kind::line, id, line); };
    std::vector<std::uint32_t> executable;
    for (const shown_function& function : file.functions) {
      const std::uint32_t first = function.first_line, last = function.last_line;
      const auto begin = file.lines.lower_bound(first), end = file.lines.upper_bound(last);
      bool ran = function.ran;
      if (ran)
        unit.executed.push_back(store::make_element(requirement_kind::function, 0,
                                                    m_.writer.function({function.symbol, id, first, last, false})));
      for (auto at = begin; at != end; ++at) ran = ran || at->second;
      for (auto at = begin; at != end; ++at) {
        executable.push_back(at->first);
        if (ran) unit.executed.push_back(element_of(at->first));
      }
      const auto more = std::lower_bound(file.more_lines.begin(), file.more_lines.end(), first);
      for (auto at = more; ran && at != file.more_lines.end() && *at < function.end; ++at)
        unit.executed.push_back(element_of(*at));
      if (file.lines.count(first) != 0) unit.declared.push_back(element_of(first));
    }
    std::sort(executable.begin(), executable.end());
    executable.erase(std::unique(executable.begin(), executable.end()), executable.end());
    m_.writer.set_executable_lines(id, executable);
  }
  for (auto* part : {&unit.declared, &unit.executed}) sort_set(*part);
  return unit;
}

/// With the lines that `#line` gives to files which the repository does not have where they stand.
shown_files counter_files::where_written(const shown_files& shown, const std::string& note,
                                         const std::vector<std::string>& read) const {
  const gcov::place_finder places_of = places_of_unit(m_, read);
  if (!places_of) return shown;
  const bool is_ninja = m_.twin.generator.find("Ninja") != std::string::npos;
  const std::string cwd = is_ninja ? m_.twin.binary_dir.string() : gcov::folder_of_build(note);
  std::map<std::string, shown_file> found;
  for (const shown_file& file : shown) {
    std::uint32_t last = file.lines.empty() ? 0 : file.lines.rbegin()->first;
    for (const shown_function& f : file.functions) last = std::max(last, f.last_line);
    const auto places = places_of(cwd, file.path, last);
    const auto put = [&](std::uint32_t line, const auto& take) {
      const auto at = places ? places->find(line) : gcov::line_places::const_iterator();
      if (!places || at == places->end()) return take(file.path, line);
      for (const gcov::line_place& place : at->second) take(place.file, place.line);
    };
    for (const auto& [line, ran] : file.lines)
      put(line, [&, has_run = ran](const std::string& path, std::uint32_t number) {
        bool& executed = found[path].lines[number];
        executed = executed || has_run;
      });
    for (const std::uint32_t line : file.more_lines)
      put(line, [&](const std::string& path, std::uint32_t number) { found[path].more_lines.push_back(number); });
    for (shown_function f : file.functions) {
      const std::uint32_t length = f.last_line - f.first_line, behind = f.end - f.first_line;
      bool is_first = true;
      put(f.first_line, [&](const std::string& path, std::uint32_t number) {
        if (!std::exchange(is_first, false)) return;
        f.first_line = number;
        f.last_line = number + length;
        f.end = number + behind;
        found[path].functions.push_back(f);
      });
    }
  }
  shown_files all;
  for (auto& [path, file] : found) {
    file.path = path;
    std::sort(file.more_lines.begin(), file.more_lines.end());
    all.push_back(std::move(file));
  }
  return all;
}

std::uint32_t counter_files::file_of(const std::string& path) {
  const auto [found, inserted] = files_.try_emplace(path, outside);
  if (inserted) {
    const std::string relative = name_of_source(m_, path);
    if (!relative.empty()) found->second = m_.writer.file(relative);
  }
  return found->second;
}

void counter_files::warn(const std::string& what) {
  if (!std::exchange(has_warned_, true))
    m_.told.warn(fmt::format(
        "suite '{}': {}. Remove '{}' and run `morph measure --fresh`; until then, tests that run this code always run",
        suite_, what, m_.twin.binary_dir.string()));
}

}  // namespace morph::measuring
