// What is in the work tree: a commit's tree, and the files that differ from it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/selection/file_kind.hpp"
#include "plugin/store/evidence.hpp"

namespace morph::workspace {

struct snapshot {
  store::snapshot identity;
  std::vector<git::dirty_file> dirty;
  std::map<std::string, std::string> watched{};  // texts outside of the repository, by what the identity calls them
};

/// Of the repository alone.
result<snapshot> take_snapshot(const git::repository& repo, const selection::file_kinds& kinds);

/// With what the build tree is known to read outside of the repository (watched_files.hpp).
result<snapshot> take_snapshot(const build::build_tree& tree, const git::repository& repo,
                               const selection::file_kinds& kinds);

void sort_overrides(snapshot& c);

/// Equal for equal content; 16 hexadecimal digits. The commit is a label and does not count.
std::string id_of(const store::snapshot& identity);

/// When the work tree last became what it is, in seconds since 1970: what ran before may have run on something else.
std::int64_t changed_at(const git::repository& repo, const snapshot& c);

}  // namespace morph::workspace
