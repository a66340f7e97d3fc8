// Specs inside a program of another test framework: what the adapters for GoogleTest, Catch2 and doctest share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "morph/spec.hpp"

namespace morph {

/// While it lives, that host's assertions count.
class host_guard {
 public:
  explicit host_guard(count_host_failures count) { set_host(count); }
  host_guard(const host_guard&) = delete;
  host_guard& operator=(const host_guard&) = delete;
  ~host_guard() { set_host(nullptr); }
};

/// A spec whose relations are tests of the host's.
class hosted_spec {
 public:
  /// Never throws: what is wrong with the declarations is the failure of a test of its own.
  hosted_spec(const char* name, std::unique_ptr<spec_base> (*make)(const char*), const char* file, int line);
  ~hosted_spec();

  struct test {
    std::string name;        // of the relation
    std::string identifier;  // letters, digits and `_`; no two are equal
    std::string file;
    int line = 0;
  };
  const std::vector<test>& tests() const { return tests_; }

  /// In this process. Empty if it holds; else what is violated. With `stops_at_first`, the first assertion of the host
  /// that fails ends it, and nothing is shrunk then: each time the host would tell of it again.
  std::string run(std::size_t which, bool stops_at_first);
  /// What is to be told of the last run although it holds: relations that never applied, suspicious labels, what limits
  /// left out. Each line once in a process.
  const std::string& warnings() const { return warnings_; }

 private:
  std::unique_ptr<spec_base> spec_;
  std::vector<test> tests_;
  std::vector<std::size_t> checks_;
  std::string problem_, warnings_;
};

}  // namespace morph
