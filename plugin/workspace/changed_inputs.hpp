// What tests read beside code, as it is now: files, variables, libraries, declarations of suites, ctest's entries.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/build/path_digests.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/selection/file_kind.hpp"
#include "plugin/store/store.hpp"
#include "plugin/workspace/suites.hpp"

namespace morph::workspace {

constexpr const char* library_path = "LD_LIBRARY_PATH";

std::optional<std::string> digest_of_variable(const std::string& name);

/// Where the build tree lies does not count.
std::string digest_of_declaration(const build::build_tree& tree, const build::suite& suite);
/// Of how ctest runs a test, without labels, cost and place.
std::string digest_of_entry(const build::build_tree& tree, const frameworks::ctest_entry& entry);
/// By which evidence knows it.
std::string name_of_entry(const build::suite& suite, const frameworks::listed_case& test);

/// Where digests of files are kept.
std::filesystem::path path_digests_file(const std::filesystem::path& own_dir);

/// Inputs of the kind `file` as they are now.
class files_now {
 public:
  files_now(build::path_digests& digests, const git::repository& repo, const selection::file_kinds& kinds)
      : digests_(digests), repo_(repo), kinds_(kinds) {}

  std::optional<std::string> of_link(const std::string& name) const;
  std::optional<std::string> of(const std::string& name) const;
  /// Files that git does not track: the others are compared with the commit.
  std::optional<std::string> of_data(const std::string& glob) const;

 private:
  std::string absolute(const std::string& name) const;
  bool is_beside_git(const std::string& path) const;

  build::path_digests& digests_;
  const git::repository& repo_;
  const selection::file_kinds& kinds_;
  mutable std::vector<std::string> tracked_;
};

/// Inputs of a measurement that are not what they were, ascending. Reads variables of this process and files. What is
/// known of libraries and files is kept in the build tree. `suites`: as they are listed now.
std::vector<std::uint32_t> changed_inputs(const store::evidence& measured, const build::build_tree& tree,
                                          const std::vector<listed_suite>& suites, const git::repository& repo,
                                          const selection::file_kinds& kinds);

/// Whether one of them is a shared library or a file.
bool has_changed_files(const store::evidence& measured, const build::build_tree& tree, const git::repository& repo,
                       const selection::file_kinds& kinds);

}  // namespace morph::workspace
