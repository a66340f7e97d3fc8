// Runs a program under probes.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace morph::probe::tests {

struct probed_run {
  int exit = -1;                  // 128 and its number, if a signal ended it
  std::set<std::string> entered;  // symbols, of all files that have a table
  std::string incomplete;         // reasons, a line each
};

/// A folder of tables and one row at a time.
class probed_programs {
 public:
  explicit probed_programs(const std::filesystem::path& folder) : folder_(folder) {}

  /// Fails the test if there can be none.
  void add_table(const std::filesystem::path& file);
  probed_run run(const std::string& command, const std::string& variables = "") const;
  std::filesystem::path table_of(const std::filesystem::path& file) const;

 private:
  std::filesystem::path folder_;
  std::vector<std::filesystem::path> files_;
};

int plain_exit(const std::string& command);
std::string contents(const std::filesystem::path& file);

}  // namespace morph::probe::tests
