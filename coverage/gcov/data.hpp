// The counters (.gcda) that an instrumented program leaves at its end.
#ifndef MORPH_COVERAGE_GCOV_DATA_HPP
#define MORPH_COVERAGE_GCOV_DATA_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace morph::gcov {

struct data_function {
  std::uint32_t ident = 0;
  std::uint32_t lineno_checksum = 0;
  std::uint32_t cfg_checksum = 0;
  std::uint32_t counters = 0;                // how many
  std::vector<std::uint64_t> values;         // `counters` of them, or none: all are zero
  std::uint32_t masks = 0;                   // two a condition
  std::vector<std::uint64_t> mask_values{};  // `masks` of them, or none: all are zero
};

struct data {
  int gcc = 0;  // major version
  std::uint32_t stamp = 0;
  std::uint32_t checksum = 0;
  std::vector<data_function> functions;
};

// Memory is a small multiple of the bytes. `path` is for messages.
tl::expected<data, std::string> parse_data(std::string_view bytes, std::string_view path);

}  // namespace morph::gcov

#endif
