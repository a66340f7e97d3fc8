// The processes that pages start: what they write, how they end.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "plugin/studio/event_log.hpp"
#include "plugin/studio/line_reader.hpp"
#include "plugin/system/descriptor.hpp"
#include "plugin/system/result.hpp"

namespace morph::studio {

struct run {
  std::uint64_t id = 0;  // from 1
  std::string line{};    // as a user types it
  std::vector<std::string> arguments{};
  std::string started{};  // ISO 8601, UTC
  pid_t process = 0;
  bool has_ended = false;
  std::optional<int> exit{};    // the exit status
  std::optional<int> signal{};  // or what killed it
  bool is_interrupted = false;
  system::descriptor output{};  // a file without a name
  system::descriptor errors{};  // read ends of pipes, until it has ended
  system::descriptor progress{};
  system::descriptor printed{};  // of ctest: what it prints, before it goes to `output`
  line_reader error_lines{}, progress_lines{}, printed_lines{};
};

nlohmann::json as_json(const run& of);

struct program_start {
  std::string program{};                 // the file
  std::string line{};                    // as a user types it
  std::vector<std::string> arguments{};  // those of the request
  /// The words of the process, what it is called first; `progress`: where it writes its progress.
  std::function<std::vector<std::string>(int progress)> words{};
  bool is_ctest = false;    // its lines are messages, and say how far it is
  bool is_recorded = true;  // in a script that is being recorded
};

struct run_limits {
  std::size_t most_running = 32;
  std::size_t most_runs = 200;                             // that have ended
  std::size_t most_output = std::size_t{512} << 20;        // bytes of one; more end it
  std::size_t most_kept_output = std::size_t{1024} << 20;  // bytes of all that have ended
};

/// What happens becomes events. Nothing here waits.
class runs {
 public:
  /// Outputs are kept below `folder`, in files without names.
  runs(event_log& log, std::filesystem::path folder, run_limits limits = {});

  /// In a process group of its own. It ends with us. One more than may run is an error too.
  result<const run*> start(const program_start& what);

  const std::list<run>& all() const { return runs_; }  // the oldest first
  const run* find(std::uint64_t id) const;
  std::size_t running() const;

  /// SIGINT to its process group; the second time SIGKILL to all that it has started. False: there is none that runs.
  bool stop(std::uint64_t id);
  void interrupt_all();
  void kill_all();

  /// What is in the pipe; false: no more will come.
  enum class channel { errors, progress, printed };
  bool read(std::uint64_t id, channel from);
  /// After SIGCHLD: notes which have ended. Their ids.
  std::vector<std::uint64_t> note_ends();
  /// Ends those that have written too much.
  void check_outputs();

 private:
  run* find_running(std::uint64_t id);
  bool read(run& of, channel from);
  void end(run& of);
  void take_progress(const run& of, std::string_view line);
  void take_message(const run& of, std::string_view line);
  void take_line_of_ctest(const run& of, std::string_view line);
  void drop_old();

  event_log& log_;
  std::filesystem::path folder_;
  run_limits limits_;
  std::list<run> runs_;
  std::uint64_t last_id_ = 0;
};

}  // namespace morph::studio
