// What is in the work tree: a commit's tree, and the files that differ from it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugin/project/repository.hpp"
#include "plugin/selection/file_kind.hpp"
#include "plugin/store/evidence.hpp"

namespace morph::command {

struct content {
  store::snapshot identity;
  std::vector<project::dirty_file> dirty;
};

project::result<content> take_snapshot(const project::repository& repo, const selection::file_kinds& kinds);

void sort_overrides(content& c);

/// Equal for equal content; 16 hexadecimal digits. The commit is a label and does not count.
std::string id_of(const store::snapshot& identity);

/// When the work tree last became what it is, in seconds since 1970: what ran before may have run on something else.
std::int64_t changed_at(const project::repository& repo, const content& c);

}  // namespace morph::command
