// morph store history: what runs have found, as far as the store keeps it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "plugin/store/store.hpp"
#include "plugin/system/result.hpp"

namespace morph::workspace {

/// Verdicts of one time, source and configuration.
struct past_run {
  std::int64_t at = 0;  // seconds since 1970
  std::string source;   // "measure", "ctest" or "junit"
  std::string configuration;
  std::size_t tests = 0, failed = 0;
  double seconds = 0;
};

struct past_test {
  struct verdict {
    std::size_t run;  // its position
    bool failed;
    double seconds;
  };
  std::string name;
  bool is_flaky = false;            // it passed and failed on the same content
  std::vector<verdict> verdicts{};  // oldest first
};

struct store_history {
  std::string path;
  std::vector<past_run> runs{};    // oldest first
  std::vector<past_test> tests{};  // by name
  std::vector<store::audit> audits{};
};
result<store_history> history_of(const std::string& path);
/// Schema morph.history/1, with an end of line. A verdict is [run, 1 if it failed, seconds].
std::string as_json(const store_history& of);
/// For people.
std::string as_text(const store_history& of);

}  // namespace morph::workspace
