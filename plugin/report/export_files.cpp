// Writes tables, and what their cells say.
#include "plugin/report/export_files.hpp"

#include <fmt/format.h>

#include "plugin/system/files.hpp"

namespace morph::report {

result<void> write_tables(const std::string& prefix, const std::vector<table_file>& files) {
  for (const table_file& file : files)
    if (auto written = system::write_file_atomically(prefix + file.suffix, file.content); !written) return written;
  return {};
}

std::string exact_seconds(std::int64_t us) {
  return fmt::format("{}.{:06}", us / 1'000'000, us % 1'000'000);
}

const char* true_or_false(bool is) {
  return is ? "true" : "false";
}

}  // namespace morph::report
