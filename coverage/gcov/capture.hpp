// Reads the stream of a measured program (stream_format.h) while it arrives.
#ifndef MORPH_COVERAGE_GCOV_CAPTURE_HPP
#define MORPH_COVERAGE_GCOV_CAPTURE_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "coverage/gcov/stream_format.h"

namespace morph::gcov {

struct counter {
  std::uint32_t id;
  std::uint64_t count;

  friend bool operator==(const counter&, const counter&) = default;
};

struct module_function {
  std::uint32_t ident = 0;
  std::uint32_t lineno_checksum = 0;
  std::uint32_t cfg_checksum = 0;
  std::uint32_t counters = 0;
  std::uint32_t first_id = 0;
  std::uint32_t masks = 0;  // two a condition
  std::uint32_t first_mask_id = 0;

  friend bool operator==(const module_function&, const module_function&) = default;
};

struct module_record {
  std::string gcda_path;
  std::uint32_t gcc_version = 0;
  std::uint32_t stamp = 0;
  std::uint32_t checksum = 0;
  std::vector<module_function> functions;

  friend bool operator==(const module_record&, const module_record&) = default;
};

struct startup_record {
  std::uint32_t incomplete = 0;   // bits of morph_stream::incomplete
  std::vector<counter> counters;  // ids ascend, no count is 0

  friend bool operator==(const startup_record&, const startup_record&) = default;
};

struct begin_record {
  std::string test;

  friend bool operator==(const begin_record&, const begin_record&) = default;
};

struct row_record {
  std::string test;
  morph_stream::outcome outcome = morph_stream::passed;
  std::int32_t detail = 0;
  std::uint32_t incomplete = 0;  // bits of morph_stream::incomplete
  std::uint64_t wall_us = 0;
  std::uint64_t cpu_us = 0;
  std::vector<counter> counters;  // ids ascend, no count is 0

  friend bool operator==(const row_record&, const row_record&) = default;
};

/// Environment variables that were read; of the startup or row record that comes next.
struct variables_record {
  std::vector<std::string> names;

  friend bool operator==(const variables_record&, const variables_record&) = default;
};

struct end_record {
  friend bool operator==(const end_record&, const end_record&) = default;
};

using stream_record =
    std::variant<module_record, startup_record, begin_record, row_record, variables_record, end_record>;

/// Names with a zero each, and zeros.
std::vector<std::string> split_names(std::string_view bytes);

// feed() what was read from the pipe, however it was cut, then take next() until it has nothing; at the end of the pipe
// ask finish(). The first error is final. Buffers at most one record beyond what was fed last; cost: linear in the
// bytes.
class stream_reader {
 public:
  static constexpr std::uint32_t longest_payload = 1U << 28;

  void feed(std::string_view bytes);
  // Nothing: the bytes so far hold no further record.
  tl::expected<std::optional<stream_record>, std::string> next();
  // An error if the stream stopped inside a record or before its end record: the program died.
  tl::expected<void, std::string> finish() const;
  bool ended() const { return ended_; }

 private:
  tl::unexpected<std::string> fail(std::string message);

  std::string buffer_;
  std::size_t at_ = 0;               // consumed bytes of buffer_
  std::uint64_t stream_offset_ = 0;  // of buffer_[at_]
  bool header_read_ = false;
  bool ended_ = false;
  std::string error_;
};

}  // namespace morph::gcov

#endif
