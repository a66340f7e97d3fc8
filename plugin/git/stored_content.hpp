// Contents as git stores them: blobs of a repository, and files of its work tree converted as git converts them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <tl/expected.hpp>
#include <vector>

struct git_oid;
struct git_repository;

namespace morph::git {

std::string text_of(const git_oid& id);

/// Remotes that promised what a partial clone lacks.
std::vector<std::string> promisors(git_repository* repository);

/// Blobs by their ids. What a partial clone lacks is fetched, by git; an error for every other object that is missing.
tl::expected<std::map<std::string, std::string>, std::string> read_blobs(git_repository* repository,
                                                                         const std::vector<std::string>& ids);

/// Fetches what a partial clone lacks of a tree and the trees below it. An error if something is still missing.
tl::expected<void, std::string> fetch_trees(git_repository* repository, const std::string& tree);

struct stored_file {
  std::string content;
  /// A filter of the user's made something of the file whose lines are not the file's.
  bool has_other_lines = false;
};

/// Files of the work tree as git would store them: ends of lines, encodings, identifiers and filters as attributes and
/// configuration say. A symbolic link is its target. A path outside of the work tree is taken as it is; one that cannot
/// be read is missing in the answer. An error if git refuses to convert a file.
tl::expected<std::map<std::string, stored_file>, std::string> read_as_stored(git_repository* repository,
                                                                             const std::vector<std::string>& paths);

/// Whether only git converts this file: it has a filter of the user's, or an encoding.
bool only_git_converts(git_repository* repository, const std::string& path);

}  // namespace morph::git
