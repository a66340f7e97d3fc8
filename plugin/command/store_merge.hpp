// morph store merge | export | gc
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "plugin/command/options.hpp"

namespace morph::command {

/// The store that --store names or that of the build tree. An error says what to do.
tl::expected<std::string, std::string> named_store(const std::string& file, const common_options& common);

int merge_stores(const std::vector<std::string>& from, const std::string& into, const common_options& common);

struct export_arguments {
  std::string output;  // empty = standard output
  bool without_times = false;
};
int export_store(const std::string& path, const export_arguments& arguments, const common_options& common);

struct gc_arguments {
  std::vector<std::string> references;  // empty = HEAD, all branches and tags
  std::size_t keep = 8;                 // as many as a plan compares when no ancestor was measured
  std::size_t within = 0;               // commits behind a reference; 0 = all
  bool dry_run = false;
};
int collect_garbage(const std::string& path, const gc_arguments& arguments, const common_options& common);

}  // namespace morph::command
