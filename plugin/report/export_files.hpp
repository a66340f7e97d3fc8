// Tables and arrays that --export writes.
#pragma once

#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"

namespace morph::report {

struct table_file {
  std::string suffix;  // behind the prefix: ".tests.csv"
  std::string content;
};

/// Each file replaces an older one when it is whole; the first error ends it.
result<void> write_tables(const std::string& prefix, const std::vector<table_file>& files);

/// All digits: a sum of them is exact.
std::string exact_seconds(std::int64_t us);

/// As tables have truths.
const char* true_or_false(bool is);

}  // namespace morph::report
