// What Morph asks git itself for: what libgit2 does not do, or does otherwise.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

struct git_index;

namespace morph::git {

/// Where git works. Variables such as GIT_DIR and GIT_INDEX_FILE, which hooks inherit, do not count.
struct git_place {
  std::filesystem::path work_tree;
  std::filesystem::path git_dir;  // of this work tree
};

/// The content of files as git would store it: clean filters, encodings and ends of lines done. Paths are relative to
/// the work tree, and of regular files. `objects`: the folder of the repository's objects.
///
/// Costs one process for some thousand files. Nothing is added to the repository. Errors are what git says, in one
/// line.
tl::expected<std::map<std::string, std::string>, std::string> clean_by_git(const git_place& place,
                                                                           const std::filesystem::path& objects,
                                                                           const std::vector<std::string>& paths);

/// Brings objects that a partial clone lacks, all in one transfer if they are not very many.
tl::expected<void, std::string> fetch_by_git(const git_place& place, const std::string& remote,
                                             const std::vector<std::string>& ids);

/// The index without what libgit2 refuses: neither split nor sparse. It has no file.
tl::expected<std::shared_ptr<git_index>, std::string> plain_index_by_git(const git_place& place);

}  // namespace morph::git
