// vfork, exec, wait.
#include "process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "documents.hpp"

extern char** environ;

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 18> steering{"CCACHE_", "MORPH_",   "CTEST_",   "GTEST_",  "GIT_", "CMAKE_",
                                                    "CFLAGS",  "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "CC",   "CXX",
                                                    "MAKE",    "NINJA",    "NO_COLOR", "LANG",    "LC_",  "DASHBOARD_"};

std::string contents(int file) {
  std::string text(static_cast<std::size_t>(::lseek(file, 0, SEEK_END)), '\0');
  std::size_t size = 0;
  for (ssize_t more = 1; more > 0 && size < text.size(); size += static_cast<std::size_t>(std::max<ssize_t>(more, 0)))
    more = ::pread(file, text.data() + size, text.size() - size, static_cast<off_t>(size));
  text.resize(size);
  return text;
}

/// A file without a name, which all that is written is added to.
int file_in_memory() {
  const int file = ::memfd_create("morph-output", MFD_CLOEXEC);
  if (file < 0 || ::fcntl(file, F_SETFL, O_APPEND) != 0)
    throw std::runtime_error(fmt::format("memfd_create: {}", std::strerror(errno)));
  return file;
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
    result["LARGE_PAGES"] = MORPH_LARGE_PAGES;  // for the launcher
    result["CCACHE_DEPEND"] = "1";              // what is not there yet is compiled once, not preprocessed first
    result["CCACHE_DIR"] = MORPH_COMPILATIONS;
    result["CCACHE_SLOPPINESS"] = "include_file_ctime,include_file_mtime";  // sources are seconds old
  }
  // Two thirds of what a link takes are page faults of the linker.
  result["GLIBC_TUNABLES"] =
      "glibc.malloc.hugetlb=1:glibc.malloc.top_pad=33554432:glibc.malloc.mmap_threshold=33554432";
  return result;
}

running::running(const std::vector<std::string>& command, const fs::path& directory, const variables& environment)
    : out_(file_in_memory()), err_(file_in_memory()) {
  std::vector<std::string> arguments = command, entries;
  for (const auto& [name, value] : environment) entries.push_back(name + '=' + value);
  const auto argument_pointers = pointers(arguments);
  const auto entry_pointers = pointers(entries);
  process_ = ::vfork();  // nothing is copied
  if (process_ < 0) throw std::runtime_error(fmt::format("vfork: {}", std::strerror(errno)));
  if (process_ == 0) {
    ::setpgid(0, 0);
    const int in = ::open("/dev/null", O_RDONLY);
    const bool ready =
        ::dup2(in, 0) >= 0 && ::dup2(out_, 1) >= 0 && ::dup2(err_, 2) >= 0 && ::chdir(directory.c_str()) == 0;
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
  ::close(out_);
  ::close(err_);
}

void running::send(int signal) const {
  ::kill(process_, signal);
}

finished running::wait() {
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  finished end{WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), contents(out_), contents(err_)};
  keep_document(end.out);
  return end;
}

finished run(const std::vector<std::string>& command, const fs::path& directory, const variables& environment) {
  return running(command, directory, environment).wait();
}

}  // namespace morph::end_to_end
