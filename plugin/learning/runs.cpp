// Files of the folder of rows.
#include "plugin/learning/runs.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "plugin/git/repository.hpp"
#include "plugin/system/checked_text.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/files.hpp"
#include "plugin/workspace/changed_inputs.hpp"
#include "plugin/workspace/snapshot.hpp"

namespace morph::learning {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr auto time_to_write = std::chrono::seconds(2);

/// When a process began, in ticks since the machine did; 0: there is none.
std::int64_t beginning_of(std::int64_t process) {
  const auto text = system::read_file(fmt::format("/proc/{}/stat", process));
  if (!text || text->rfind(')') == std::string::npos) return 0;
  std::istringstream words(text->substr(text->rfind(')') + 1));
  constexpr int before = 19;  // fields between the name and this one
  std::string word;
  for (int i = 0; i < before; ++i) words >> word;
  std::int64_t began = 0;
  words >> began;
  return began;
}

/// Another ctest than the one that has started us.
bool is_running(const run_of_ctest& run) {
  return run.ctest_began != 0 && beginning_of(run.ctest) == run.ctest_began && run.ctest != ::getppid();
}

result<run_of_ctest> read_run(const fs::path& file) {
  const auto text = system::read_file(file);
  if (!text) return tl::unexpected(text.error());
  const auto content = system::checked_content(*text);
  if (!content) return tl::unexpected(fmt::format("'{}' is damaged", file.string()));
  try {
    const json j = json::parse(*content);
    run_of_ctest run;
    run.name = file.stem().string();
    run.content = j.at("content").get<std::string>();
    run.created = j.at("created").get<std::int64_t>();
    run.since = {j.at("seconds").get<std::time_t>(), j.at("nanoseconds").get<long>()};
    run.machine_started = j.at("machine_started").get<std::int64_t>();
    run.keys = j.at("keys").get<std::map<std::string, std::string>>();
    run.ctest = j.at("ctest").get<std::int64_t>();
    run.ctest_began = j.at("ctest_began").get<std::int64_t>();
    run.variables = j.at("variables").get<std::map<std::string, std::string>>();
    run.places = j.at("places").get<std::map<std::string, std::pair<std::string, std::uint32_t>>>();
    run.entries = j.value("entries", std::map<std::string, std::string>());
    return run;
  } catch (const json::exception& error) {
    return tl::unexpected(fmt::format("'{}' is damaged: {}", file.string(), error.what()));
  }
}

/// Whether a process has ended whose record is not there yet.
bool is_writing(const fs::path& spool) {
  std::error_code none;
  for (const auto& row : fs::directory_iterator(spool / "live", none)) {
    const std::string name = row.path().filename().string();
    pid_t process = 0;
    std::from_chars(name.data(), name.data() + name.size(), process);
    if (process > 0 && ::kill(process, 0) != 0 && errno == ESRCH) return true;
  }
  return false;
}

/// What nobody will finish: there is no recorder.
void remove_left_rows(const fs::path& spool) {
  std::error_code none;
  if (const auto lock = system::lock_file(spool / "recorder.lock", system::if_locked::refuse)) {
    fs::remove_all(spool / "live", none);
    for (const auto& file : fs::directory_iterator(spool, none))
      if (file.path().extension() == ".run" && !fs::exists(fs::path(file.path()).replace_extension(".rows"), none)) {
        const auto run = read_run(file.path());
        constexpr std::int64_t long_ago = 24 * 60 * 60;  // seconds: its tests have ended, or never began
        if (!run || run->since.tv_sec + long_ago < std::time(nullptr)) fs::remove(file.path(), none);
      }
  }
}

}  // namespace

fs::path spool_of(const build::build_tree& tree) {
  return tree.own_dir() / "spool";
}

run_of_ctest make_run(const store::measurement_info& measurement, const timespec& since) {
  run_of_ctest run;
  run.content = workspace::id_of(measurement.taken_from);
  run.created = measurement.created;
  run.since = since;
  run.machine_started = spool::machine_started();
  run.ctest = ::getppid();
  run.ctest_began = beginning_of(run.ctest);
  run.name = fmt::format("{}-{}-{}-{}", run.content, run.since.tv_sec, run.since.tv_nsec, ::getpid());
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string name(text.substr(0, text.find('=')));
    if (const auto digest = workspace::digest_of_variable(name)) run.variables[name] = *digest;
  }
  return run;
}

result<void> write_run(const fs::path& spool, const run_of_ctest& run) {
  const json j{{"content", run.content},
               {"created", run.created},
               {"seconds", run.since.tv_sec},
               {"nanoseconds", run.since.tv_nsec},
               {"machine_started", run.machine_started},
               {"ctest", run.ctest},
               {"ctest_began", run.ctest_began},
               {"keys", run.keys},
               {"variables", run.variables},
               {"places", run.places},
               {"entries", run.entries}};
  return system::write_file_atomically(spool / (run.name + ".run"),
                                       system::with_check(j.dump(-1, ' ', true, json::error_handler_t::replace)));
}

bool has_records(const fs::path& spool) {
  std::error_code none;
  const fs::directory_iterator files(spool, none);
  return std::any_of(begin(files), end(files),
                     [](const auto& file) {
                       return file.path().extension() == ".rows" || file.path().extension() == ".taken";
                     }) ||
         is_writing(spool);
}

std::vector<recorded_run> take_records(const fs::path& spool, system::observer& told) {
  const auto until = std::chrono::steady_clock::now() + time_to_write;
  while (is_writing(spool) && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  remove_left_rows(spool);
  std::error_code none;
  std::set<fs::path> taken;
  for (const auto& file : fs::directory_iterator(spool, none)) {
    if (file.path().extension() == ".taken") taken.insert(file.path());
    if (file.path().extension() != ".rows") continue;
    if (const auto run = read_run(fs::path(file.path()).replace_extension(".run")); run && is_running(*run)) continue;
    // A recorder that has it open may write a record to it still: who reads it later finds that, too.
    const fs::path own = spool / fmt::format("{}.{}.taken", file.path().stem().string(), ::getpid());
    fs::rename(file.path(), own, none);
    if (!none) taken.insert(own);
  }
  std::map<std::string, recorded_run> runs;
  for (const fs::path& file : taken) {
    const std::string name = file.stem().stem().string();
    recorded_run& of = runs[name];
    of.files.push_back(file);
    if (const auto bytes = system::read_file(file)) {
      auto records = spool::read_records(*bytes);
      of.records.insert(of.records.end(), std::make_move_iterator(records.begin()),
                        std::make_move_iterator(records.end()));
    }
  }
  std::vector<recorded_run> all;
  for (auto& [name, recorded] : runs) {
    const fs::path file = spool / (name + ".run");
    auto run = read_run(file);
    if (!run) {
      told.warn(
          fmt::format("{}; what {} did is not known", run.error(), system::counted(recorded.records.size(), "test")));
      for (const fs::path& of : recorded.files) fs::remove(of, none);
      continue;
    }
    recorded.run = std::move(*run);
    all.push_back(std::move(recorded));
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::tie(a.run.since.tv_sec, a.run.since.tv_nsec) < std::tie(b.run.since.tv_sec, b.run.since.tv_nsec);
  });
  return all;
}

std::string id_of_test(std::string_view suite, std::string_view target, std::string_view case_name) {
  std::string text;
  for (const std::string_view part : {suite, target, case_name}) text.append(part).append(1, '\0');
  return git::blob_hash(text).substr(0, 16);
}

}  // namespace morph::learning
