// The lines of files as they stand now.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace morph::report {

/// Reads each file once. One that is not there has no lines.
class work_tree_text {
 public:
  explicit work_tree_text(std::filesystem::path root) : root_(std::move(root)) {}

  const std::vector<std::string>& lines(const std::string& path);
  /// Without blanks around it; empty if there is no such line.
  std::string line(const std::string& path, std::uint32_t number);

 private:
  std::filesystem::path root_;
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace morph::report
