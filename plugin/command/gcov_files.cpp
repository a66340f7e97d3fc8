// Asking gcov.
#include "plugin/command/gcov_files.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "coverage/gcov/agreement.hpp"
#include "coverage/gcov/note.hpp"
#include "plugin/command/doctor_rows.hpp"
#include "plugin/project/files.hpp"
#include "plugin/project/process.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using optimizer::requirement_kind;

constexpr std::uint32_t outside = ~std::uint32_t{0};  // of the repository

std::string compiler_of(const project::build_tree& tree) {
  return json::parse(tree.configuration, nullptr, false).value("compiler", "");
}

std::string gcov_of(const project::build_tree& tree) {
  return gcov_beside(tree.compiler_path, major_version(compiler_of(tree)));
}

/// While it exists, processes of the twin leave a file there until they have written their counters.
fs::path running_folder(const project::build_tree& twin) {
  return twin.own_dir() / "measure" / "running";
}

struct gcov_answers {
  std::vector<std::string> objects;  // one for each file, in their order; fewer if gcov fails
  std::string complaint;             // the first line of what it says besides
};

/// gcov ends with status 0 whatever it complains of, in the language of the user.
std::string complaint_in(const std::string& said) {
  for (std::size_t at = 0; at < said.size();) {
    const auto end = std::min(said.find('\n', at), said.size());
    const std::string line = said.substr(at, end - at);
    // A source that was touched is as it was compiled: it has been built just now.
    const bool is_idle = line.empty() || line.find("source file is newer than notes file") != std::string::npos ||
                         line.starts_with("(the message is displayed only once");
    if (!is_idle) return line;
    at = end + 1;
  }
  return "";
}

gcov_answers ask_gcov(const project::build_tree& twin, const std::vector<std::string>& files) {
  constexpr std::chrono::seconds at_least(30), a_file(5);  // notes that are cut off may keep it busy for ever
  project::command c;
  c.timeout = at_least + static_cast<int>(files.size()) * a_file;
  c.environment.emplace_back("LC_ALL", "C");
  c.arguments = {gcov_of(twin), "--json-format", "--stdout"};
  c.arguments.insert(c.arguments.end(), files.begin(), files.end());
  c.directory = twin.own_dir().string();
  const auto end = project::run(c);
  gcov_answers answers{{},
                       end.how == project::process_end::kind::timed_out ? "it does not end" : complaint_in(end.err)};
  if (!end.succeeded()) return answers;
  for (std::size_t at = 0; at < end.out.size();) {
    const auto line = std::min(end.out.find('\n', at), end.out.size());
    if (line > at) answers.objects.push_back(end.out.substr(at, line - at));
    at = line + 1;
  }
  return answers;
}

project::result<void> compare(const std::string& note, const std::string& counters) {
  const auto notes = project::read_file(note), counts = project::read_file(counters);
  if (!notes) return tl::unexpected(notes.error());
  if (!counts) return tl::unexpected(counts.error());
  return gcov::check_agreement(*notes, note, *counts, counters);
}

void sort_set(std::vector<store::element>& elements) {
  std::sort(elements.begin(), elements.end());
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
}

}  // namespace

std::string gcov_beside(const std::string& compiler_path, int major) {
  std::error_code error;
  const fs::path real = fs::canonical(compiler_path, error);
  const fs::path folder = (error ? fs::path(compiler_path) : real).parent_path();
  const fs::path gcov = folder / fmt::format("gcov-{}", major);
  return (fs::exists(gcov, error) ? gcov : folder / "gcov").string();
}

bool has_counter_files(const project::build_tree& tree) {
  return tree.counters == "files";
}

project::result<std::string> describe_counter_files(const project::build_tree& twin) {
  project::command c;
  const std::string gcov = gcov_of(twin), compiler = compiler_of(twin);
  c.arguments = {gcov, "--version"};
  const auto end = project::run(c);
  if (!end.succeeded() || gcov_major(end.out) != major_version(compiler))
    return tl::unexpected(
        fmt::format("the counters of {} are read by its own gcov, and '{}' {}; install the compiler's whole package",
                    compiler, gcov, end.succeeded() ? "is of another version" : "does not run"));
  return fmt::format(
      "the counters of {} are read by its own gcov: every test runs in a process of its own, which is slower, and a "
      "change outside of functions selects every test of a program",
      compiler);
}

bool gcov_shows_functions(const project::build_tree& twin, const std::string& note) {
  const auto answers = ask_gcov(twin, {note}).objects;
  if (answers.size() != 1) return false;
  const json shown = json::parse(answers.front(), nullptr, false);
  const auto files = shown.is_object() ? shown.value("files", json::array()) : json::array();
  return std::any_of(files.begin(), files.end(),
                     [](const json& file) { return !file.value("functions", json::array()).empty(); });
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
    const auto bytes = project::read_file(at->path());
    const std::string key =
        at->path().lexically_relative(prefix_).string() + '\n' + project::blob_hash(bytes ? *bytes : std::string());
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
  struct question {
    std::string counters, notes, key;
  };
  std::vector<question> questions;
  std::vector<std::string> paths;
  for (const auto& [path, key] : files) {
    const std::string note =
        fs::path("/" + fs::path(path).lexically_relative(prefix_).string()).replace_extension(".gcno").string();
    if (const auto agrees = compare(note, path); !agrees) {
      warn(agrees.error());
      continue;
    }
    std::error_code none;
    fs::create_symlink(note, fs::path(path).replace_extension(".gcno"), none);
    questions.push_back({path, note, key});
    paths.push_back(path);
  }
  if (questions.empty()) return;
  const gcov_answers answers = ask_gcov(m_.twin, paths);
  // One that gcov cannot read spoils the answers of the others.
  const bool apart = answers.objects.size() != questions.size() || !answers.complaint.empty();
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const auto& [counters, notes, key] = questions[i];
    const gcov_answers own = apart ? ask_gcov(m_.twin, {counters}) : gcov_answers{{answers.objects[i]}, ""};
    try {
      if (own.objects.size() == 1 && own.complaint.empty()) {
        shown_.emplace(key, read(own.objects.front(), notes));
        continue;
      }
      warn(fmt::format("gcov cannot read '{}' with the notes '{}'{}{}", counters, notes,
                       own.complaint.empty() ? "" : ": ", own.complaint));
    } catch (const json::exception& error) {
      warn(fmt::format("what gcov says of '{}' is not understood: {}", notes, error.what()));
    }
  }
}

counter_files::shown_unit counter_files::read(const std::string& text, const std::string& note) {
  const json shown = json::parse(text);
  const auto cwd = shown.at("current_working_directory").get<std::string>();
  shown_unit unit;
  if (const auto known = describe_object_of(m_, note)) {
    unit.loaded.push_back(store::make_element(requirement_kind::unit, 0, m_.writer.unit(*known)));
  } else {
    warn(fmt::format("the build has no record of what '{}' belongs to", note));
  }
  for (const json& file : shown.at("files")) {
    const std::uint32_t id = file_of(gcov::resolved_path(cwd, file.at("file").get<std::string>()));
    if (id == outside) continue;
    std::map<std::uint32_t, bool> lines;  // whether gcov calls it executed
    for (const json& line : file.at("lines"))
      lines[line.at("line_number").get<std::uint32_t>()] |= line.at("count").get<std::int64_t>() != 0;
    const auto element_of = [&](std::uint32_t line) { return store::make_element(requirement_kind::line, id, line); };
    std::vector<std::uint32_t> executable;
    for (const json& function : file.at("functions")) {
      const auto first = function.at("start_line").get<std::uint32_t>();
      const auto last = function.at("end_line").get<std::uint32_t>();
      const auto begin = lines.lower_bound(first), end = lines.upper_bound(std::max(first, last));
      bool ran = function.at("execution_count").get<std::int64_t>() != 0;
      if (ran)
        unit.executed.push_back(store::make_element(
            requirement_kind::function, 0,
            m_.writer.function({function.at("name").get<std::string>(), id, first, std::max(first, last), false})));
      for (auto at = begin; at != end; ++at) ran = ran || at->second;
      for (auto at = begin; at != end; ++at) {
        executable.push_back(at->first);
        if (ran) unit.executed.push_back(element_of(at->first));
      }
      if (lines.count(first) != 0) unit.declared.push_back(element_of(first));
    }
    std::sort(executable.begin(), executable.end());
    executable.erase(std::unique(executable.begin(), executable.end()), executable.end());
    m_.writer.set_executable_lines(id, executable);
  }
  for (auto* part : {&unit.declared, &unit.executed}) sort_set(*part);
  return unit;
}

std::uint32_t counter_files::file_of(const std::string& path) {
  const auto [found, inserted] = files_.try_emplace(path, outside);
  if (inserted) {
    const std::string relative = in_repository(m_, path);
    if (!relative.empty()) found->second = m_.writer.file(relative);
  }
  return found->second;
}

void counter_files::warn(const std::string& what) {
  if (!std::exchange(has_warned_, true))
    spdlog::warn(
        "suite '{}': {}. Remove '{}' and run `morph measure --again`; until then, tests that run this code always run",
        suite_, what, m_.twin.binary_dir.string());
}

}  // namespace morph::command
