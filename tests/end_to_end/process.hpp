// Running programs from tests, in an environment that does not depend on who runs the tests.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace morph::end_to_end {

struct finished {
  int exit = 0;  // the exit status, or minus the signal that ended it
  std::string out;
  std::string err;
  std::string both() const { return out + err; }
};

using variables = std::map<std::string, std::string>;

/// The caller's environment without what steers Morph, ctest, GoogleTest, git, CMake and compilers; LC_ALL=C; one git
/// identity.
variables clean_environment(const std::filesystem::path& home);

/// A program under way, its output in memory. The destructor kills it with its process group if it was not waited for.
class running {
 public:
  running(const std::vector<std::string>& command, const std::filesystem::path& directory,
          const variables& environment);
  running(const running&) = delete;
  running& operator=(const running&) = delete;
  ~running();

  pid_t id() const { return process_; }
  void send(int signal) const;
  finished wait();

 private:
  pid_t process_ = -1;
  int out_ = -1, err_ = -1;
};

finished run(const std::vector<std::string>& command, const std::filesystem::path& directory,
             const variables& environment);

}  // namespace morph::end_to_end
