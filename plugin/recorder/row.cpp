// The conversation, the files that the kernel tells of, and the record.
#include "plugin/recorder/row.hpp"

#include <fmt/format.h>
#include <linux/filter.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <ctime>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "plugin/spool/recording.h"
#include "plugin/spool/records.hpp"
#include "plugin/spool/series.hpp"
#include "plugin/system/files.hpp"

namespace morph::recorder {
namespace {

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;

constexpr std::size_t most_files = 20000;  // of a test
/// How long the kernel may take to clear away what has ended.
constexpr auto time_to_go = std::chrono::milliseconds(500);

constexpr const char* letters_of_record = "0123456789abcdefghijklmnopqrstuvwxyz-_";

/// RUN and TEST of FOLDER/RUN/TEST; empty if it is another folder or no name.
std::pair<std::string, std::string> names_in(const std::string& asked, const fs::path& folder) {
  const std::string begin = folder.string() + "/";
  if (!asked.starts_with(begin)) return {};
  const std::string rest = asked.substr(begin.size());
  const std::size_t slash = rest.find('/');
  if (slash == 0 || slash == std::string::npos || slash + 1 == rest.size()) return {};
  if (rest.find_first_not_of(letters_of_record, slash + 1) != std::string::npos ||
      rest.find_first_not_of(letters_of_record) != slash)
    return {};
  return {rest.substr(0, slash), rest.substr(slash + 1)};
}

class files_of_test {
 public:
  void add(system::opened_file file) {
    if (files_.size() >= most_files) file = {false, {}, system::opened_file::use::hides};
    if (known_.insert({file.path, file.how, file.changes, file.by_program}).second) files_.push_back(std::move(file));
  }
  const std::vector<system::opened_file>& all() const { return files_; }
  /// As they are now.
  std::map<std::string, spool::file_state> states() const {
    std::map<std::string, spool::file_state> found;
    for (const system::opened_file& file : files_) {
      if (file.path.empty()) continue;
      std::error_code missing;
      found.try_emplace(file.path, spool::state_of(file.path));
      if (const std::string real = fs::weakly_canonical(file.path, missing).string(); !real.empty())
        found.try_emplace(real, spool::state_of(real));
    }
    return found;
  }
  void put_into(spool::test_record& record) && {
    record.states = states();
    record.files = std::move(files_);
  }

 private:
  std::vector<system::opened_file> files_;
  std::set<std::tuple<std::string, system::opened_file::use, bool, bool>> known_;
};

/// Of each test of a series, by 1 + its number; of all of them, by 0.
class files_of_series {
 public:
  /// What a test's files are now counts as soon as another one runs.
  void add(system::opened_file file) {
    if (file.during != last_ && last_ != 0) ended_[last_] = files_[last_].states();
    last_ = file.during;
    ended_.erase(file.during);
    files_[file.during].add(std::move(file));
  }
  void put_into(std::uint32_t test, spool::test_record& record) {
    if (!states_of_all_) states_of_all_ = files_[0].states();
    record.files = files_[0].all();
    if (const auto own = files_.find(test); own != files_.end()) {
      record.files.insert(record.files.end(), own->second.all().begin(), own->second.all().end());
      const auto ended = ended_.find(test);
      record.states = ended != ended_.end() ? ended->second : own->second.states();
    }
    record.states.insert(states_of_all_->begin(), states_of_all_->end());
  }

 private:
  std::map<std::uint32_t, files_of_test> files_;
  std::map<std::uint32_t, std::map<std::string, spool::file_state>> ended_;
  std::optional<std::map<std::string, spool::file_state>> states_of_all_;
  std::uint32_t last_ = 0;
};

/// Functions that were entered, variables, the end, and what is missing.
void read_row(const fs::path& row, spool::test_record& record) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(row, none)) {
    const fs::path& path = entry.path();
    const auto bytes = system::read_file(path);
    if (!bytes) {
      record.incomplete += bytes.error() + "\n";
    } else if (path.extension() == ".entered") {
      auto& entered = record.entered[path.stem().string()];
      for (std::uint32_t f = 0; f < bytes->size(); ++f)
        if ((*bytes)[f] != 0) entered.push_back(f);
    } else if (path.filename() == "incomplete") {
      record.incomplete += *bytes;
    } else if (path.filename() == "variables") {
      if (!bytes->empty() && bytes->back() != '\0') record.incomplete += "names of variables were cut off\n";
      std::set<std::string> names;
      spool::add_names(*bytes, names);
      record.variables.assign(names.begin(), names.end());
    } else if (path.filename() == "end") {
      int status = 0;
      if (std::from_chars(bytes->data(), bytes->data() + bytes->size(), status).ec == std::errc())
        record.status = status;
    }
  }
}

/// Room for this test's row; empty if there is none.
fs::path make_row(const fs::path& folder, pid_t process) {
  static std::atomic<unsigned> number{0};
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  const fs::path row = folder / "live" / fmt::format("{}.{}-{}.{}", process, now, number++, ::getpid());
  std::error_code error;
  if (!fs::create_directories(row, error)) return {};
  for (const char* const name : {"variables", "end"}) std::ofstream(row / name);  // so that no open() of them is told
  return row;
}

/// Whether we may read the names of files in its memory (Yama lets parents alone).
bool may_read(pid_t process) {
  char ours = 0;
  const iovec here{&ours, sizeof ours}, nowhere{nullptr, sizeof ours};
  return ::process_vm_readv(process, &here, 1, &nowhere, 1, 0) >= 0 || errno == EFAULT;
}

bool grant(int conversation, pid_t process, const fs::path& row) {
  const std::string_view filter = may_read(process) ? system::watching_filter() : std::string_view();
  morph_probe::grant given{};
  if (row.empty() || row.string().size() >= sizeof given.row) return false;
  row.string().copy(given.row, sizeof given.row - 1);
  given.filters = static_cast<std::uint32_t>(filter.size() / sizeof(sock_filter));
  std::string answer(reinterpret_cast<const char*>(&given), sizeof given);
  answer += filter;
  return ::send(conversation, answer.data(), answer.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(answer.size());
}

/// The records of the tests of a series that came to their end.
void append_series(const fs::path& file, const fs::path& row, const spool::series_file& series, files_of_series& files,
                   bool tells_files) {
  for (auto& [number, did] : spool::read_series(row)) {
    if (number >= series.size() || !did.has_ended) continue;
    spool::test_record record;
    record.test = series.record(number);
    if (record.test.empty() || record.test.find_first_not_of(letters_of_record) != std::string::npos) continue;
    record.at = did.at;
    record.wall_us = did.wall_us;
    record.machine_started = spool::machine_started();
    if (did.ended_by_itself && WIFEXITED(did.status)) record.status = WEXITSTATUS(did.status);
    record.incomplete = std::move(did.incomplete);
    record.left_processes = did.left_processes;
    record.tells_files = tells_files;
    record.entered = std::move(did.entered);
    record.variables = std::move(did.variables);
    if (tells_files) files.put_into(number + 1, record);
    (void)spool::append(file, record);
  }
}

}  // namespace

void record_test(const fs::path& folder, system::descriptor conversation) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(conversation.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != ::geteuid()) return;
  std::array<char, morph_probe::longest_message> message;
  const ssize_t asked = ::recv(conversation.get(), message.data(), message.size(), 0);
  if (asked <= 0) return;
  const std::string said(message.data(), static_cast<std::size_t>(asked));
  const auto [run, test] = names_in(said.substr(0, said.find('\0')), folder);
  std::optional<spool::series_file> series;
  if (test == morph_probe::test_of_series) {
    auto opened = spool::series_file::open(said.substr(std::min(said.find('\0'), said.size() - 1) + 1));
    if (!opened) return;
    series = std::move(*opened);
  }
  const system::descriptor process(static_cast<int>(::syscall(SYS_pidfd_open, peer.pid, 0)));
  if (run.empty() || process.get() < 0) return;
  const fs::path row = make_row(folder, peer.pid);
  const auto started = clock::now();
  std::error_code none;
  const fs::path executable = fs::read_symlink(fmt::format("/proc/{}/exe", peer.pid), none);
  if (!grant(conversation.get(), peer.pid, row)) {
    fs::remove_all(row, none);  // whose process has ended meanwhile
    return;
  }

  files_of_test files;
  files_of_series files_of_each;
  system::moment_reader now;
  if (series) now = [&series] { return system::moment{series->running(), series->process()}; };
  system::watched_events events(peer.pid, conversation.get(), -1, now);
  const auto take = [&] {
    events.take_all([&](auto& event) {
      auto& file = std::get<system::opened_file>(event);
      if (system::is_inside(file.path, row.string())) return true;
      if (series)
        files_of_each.add(std::move(file));
      else
        files.add(std::move(file));
      return true;
    });
  };
  const system::opened_file program{true, executable.string(), system::opened_file::use::reads};
  if (events.refusal() == 0) series ? files_of_each.add(program) : files.add(program);
  std::array<pollfd, 2> waiting{pollfd{process.get(), POLLIN, 0}, pollfd{events.descriptor(), POLLIN, 0}};
  while (waiting[0].revents == 0) {
    ::poll(waiting.data(), waiting.size(), -1);
    take();
  }
  spool::test_record record;
  record.test = test;
  record.wall_us = std::chrono::duration_cast<std::chrono::microseconds>(clock::now() - started).count();
  record.at = std::time(nullptr);
  record.machine_started = spool::machine_started();
  const auto until = clock::now() + time_to_go;
  while (!events.watches_nobody() && events.refusal() == 0 && clock::now() < until) {
    ::poll(&waiting[1], 1, 10);
    take();
  }
  record.tells_files = events.refusal() == 0;
  record.left_processes = !events.watches_nobody();  // without a listener nothing says so
  take();
  try {
    if (series) {
      append_series(folder / (run + ".rows"), row, *series, files_of_each, record.tells_files);
    } else {
      std::move(files).put_into(record);
      read_row(row, record);
      (void)spool::append(folder / (run + ".rows"), record);
    }
  } catch (const std::exception&) {
    // A row that cannot be read is none; those of other tests go on.
  }
  fs::remove_all(row, none);
  while (record.tells_files && !events.watches_nobody()) {
    ::poll(&waiting[1], 1, -1);
    events.take_all([](auto&) { return true; });
  }
}

}  // namespace morph::recorder
