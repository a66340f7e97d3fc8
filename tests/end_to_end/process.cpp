// fork, exec, wait.
#include "process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>

extern char** environ;

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 18> steering{"CCACHE_", "MORPH_",   "CTEST_",   "GTEST_",  "GIT_", "CMAKE_",
                                                    "CFLAGS",  "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "CC",   "CXX",
                                                    "MAKE",    "NINJA",    "NO_COLOR", "LANG",    "LC_",  "DASHBOARD_"};

std::string contents(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

fs::path temporary_file() {
  std::string name = (fs::temp_directory_path() / "morph-output-XXXXXX").string();
  const int fd = ::mkstemp(name.data());
  if (fd < 0) throw std::runtime_error(fmt::format("mkstemp: {}", std::strerror(errno)));
  ::close(fd);
  return name;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& s : strings) result.push_back(s.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

variables clean_environment(const fs::path& home) {
  variables result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto equals = text.find('=');
    bool kept = equals != std::string_view::npos;
    for (const std::string_view prefix : steering) kept = kept && !text.starts_with(prefix);
    if (kept) result.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  result["LC_ALL"] = "C";
  result["HOME"] = home.string();
  result["GIT_CONFIG_NOSYSTEM"] = "1";
  for (const char* who : {"AUTHOR", "COMMITTER"}) {
    result[fmt::format("GIT_{}_NAME", who)] = "Ada";
    result[fmt::format("GIT_{}_EMAIL", who)] = "ada@example.org";
  }
  if (const std::string_view launcher = MORPH_LAUNCHER; !launcher.empty()) {
    result["CMAKE_CXX_COMPILER_LAUNCHER"] = launcher;
    result["CCACHE_DEPEND"] = "1";  // what is not there yet is compiled once, not preprocessed first
    result["CCACHE_DIR"] = MORPH_COMPILATIONS;
    result["CCACHE_SLOPPINESS"] = "include_file_ctime,include_file_mtime";  // sources are seconds old
  }
  return result;
}

running::running(const std::vector<std::string>& command, const fs::path& directory, const variables& environment)
    : out_(temporary_file()), err_(temporary_file()) {
  std::vector<std::string> arguments = command, entries;
  for (const auto& [name, value] : environment) entries.push_back(name + '=' + value);
  const auto argument_pointers = pointers(arguments);
  const auto entry_pointers = pointers(entries);
  process_ = ::fork();
  if (process_ < 0) throw std::runtime_error(fmt::format("fork: {}", std::strerror(errno)));
  if (process_ == 0) {
    ::setpgid(0, 0);
    const int in = ::open("/dev/null", O_RDONLY);
    const int out = ::open(out_.c_str(), O_WRONLY | O_APPEND);
    const int err = ::open(err_.c_str(), O_WRONLY | O_APPEND);
    const bool ready =
        ::dup2(in, 0) >= 0 && ::dup2(out, 1) >= 0 && ::dup2(err, 2) >= 0 && ::chdir(directory.c_str()) == 0;
    if (ready) ::execvpe(argument_pointers[0], argument_pointers.data(), entry_pointers.data());
    ::_exit(127);
  }
  ::setpgid(process_, process_);
}

running::~running() {
  if (process_ > 0) {
    ::kill(-process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  std::error_code ignored;
  fs::remove(out_, ignored);
  fs::remove(err_, ignored);
}

void running::send(int signal) const {
  ::kill(process_, signal);
}

finished running::wait() {
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), contents(out_), contents(err_)};
}

finished run(const std::vector<std::string>& command, const fs::path& directory, const variables& environment) {
  return running(command, directory, environment).wait();
}

}  // namespace morph::end_to_end
