// morph store info and verify: what a store holds, and whether all of it can be read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugin/store/evidence.hpp"
#include "plugin/store/store.hpp"
#include "plugin/system/result.hpp"

namespace morph::workspace {

struct held_measurement {
  store::measurement_info info;
  std::size_t tests = 0, measured = 0, incomplete = 0, classes = 0;
};

struct store_contents {
  std::string path;
  bool is_there = false;
  std::uintmax_t bytes = 0;
  std::vector<held_measurement> measurements;
};
result<store_contents> contents_of(const std::string& path);
/// Schema morph.store/1, with an end of line.
std::string as_json(const store_contents& of);
/// For people.
std::string as_text(const store_contents& of);

struct store_findings {
  std::string path;
  std::vector<std::string> findings;  // what is wrong, a line each
};
result<store_findings> findings_in(const std::string& path);
/// Schema morph.verify/1, with an end of line.
std::string as_json(const store_findings& of);
/// For people.
std::string as_text(const store_findings& of);

}  // namespace morph::workspace
