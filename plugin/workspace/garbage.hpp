// morph store gc: measurements that no plan can use any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "plugin/store/evidence.hpp"
#include "plugin/store/store.hpp"
#include "plugin/system/result.hpp"

namespace morph::workspace {

struct garbage_request {
  std::string build{};                    // where the repository is; empty: here, else where the store is
  std::vector<std::string> references{};  // empty = HEAD, all branches and tags
  std::size_t keep = 8;                   // as many as a plan compares when no ancestor was measured
  std::size_t within = 0;                 // commits behind a reference; 0 = all
  bool dry_run = false;
};

struct collected {
  std::string path;
  bool dry_run = false;
  std::vector<store::measurement_info> removed;
  std::size_t kept = 0;
  std::size_t newest_kept = 0;  // of each configuration
  std::uintmax_t bytes_before = 0, bytes_after = 0;
};

/// Ids of those that stay: whose trees are among these, and the `keep` newest of each configuration.
std::set<std::int64_t> useful(const std::vector<store::measurement_info>& newest_first,
                              const std::set<std::string>& trees, std::size_t keep);

/// An error leaves the store as it was.
result<collected> collect_garbage(const std::string& path, const garbage_request& asked);

/// Schema morph.gc/1, with an end of line.
std::string as_json(const collected& of);
/// For people.
std::string as_text(const collected& of);

}  // namespace morph::workspace
