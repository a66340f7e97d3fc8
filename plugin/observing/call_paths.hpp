// Addresses of call paths as names of functions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "coverage/observation/record.hpp"

namespace morph::observing {

/// Reads the symbols of each program or library once, with `nm`; without it paths stay empty.
class call_paths {
 public:
  explicit call_paths(std::string program) : program_(std::move(program)) {}

  /// The functions of the record's paths, from the body of the test on if it is known. Without code that Morph wrote.
  void name(observation::test_record& record);

 private:
  struct symbols {
    std::map<std::uint64_t, std::string> functions;
  };
  const symbols& symbols_of(const std::string& file);
  std::string function_at(const observation::test_record& record, std::uint64_t address);

  std::string program_;
  std::map<std::string, symbols> known_;
  std::map<std::vector<std::uint64_t>, std::vector<std::string>> paths_;
};

}  // namespace morph::observing
