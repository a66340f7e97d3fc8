// morph store merge: one store of several.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugin/store/merge.hpp"
#include "plugin/system/result.hpp"

namespace morph::workspace {

struct merged_store {
  std::string path;
  store::store_totals totals;
  std::uintmax_t bytes = 0;
};

/// Measurements of the same content become one; what `into` has stays. An error leaves it as it was.
result<merged_store> merge_stores(const std::vector<std::string>& from, const std::string& into);

/// Schema morph.merge/1, with an end of line.
std::string as_json(const merged_store& of);
/// For people.
std::string as_text(const merged_store& of);

}  // namespace morph::workspace
