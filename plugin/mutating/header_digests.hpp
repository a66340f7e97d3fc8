// What mutants and tests hang on beside their own code: macros, constants and types of the headers around them.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plugin/mutating/sources.hpp"

namespace morph::mutating {

/// Of a header of the project what stands outside of functions counts, comments and blanks do not; of one that lies
/// elsewhere or is made by the build all of it; nothing of the system's, of sources, and of what belongs to tests.
/// No digest hangs on where the project or its build lies. Reads each header once; refers to its arguments.
class header_digests {
 public:
  /// `binary`: the build tree in which the mirror is compiled.
  header_digests(const mutated_sources& sources, const source_reader::source_request& request,
                 const std::filesystem::path& binary);

  /// Of all headers that are compiled together with a file, by the sources' files.
  std::vector<std::string> of_files();
  /// Of those among some paths.
  std::string of(const std::set<std::string>& paths);

 private:
  const std::string& line_of(const std::string& path);
  std::string make_line(const std::string& path) const;

  const mutated_sources& sources_;
  const source_reader::source_request& request_;
  std::string mirror_;
  std::string own_;                                                // folder with headers of ours
  std::map<std::string, const mutation::mutated_file*> outlined_;  // by path: those whose functions are known
  std::map<std::string, std::string> lines_;                       // by path; empty: it does not count
};

}  // namespace morph::mutating
