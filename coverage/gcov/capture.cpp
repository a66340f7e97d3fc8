// The incremental parser of the measuring stream.
#include "coverage/gcov/capture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "coverage/gcov/bytes.hpp"

namespace morph::gcov {
namespace {

constexpr std::size_t magic_size = sizeof(morph_stream::magic) - 1;
constexpr std::size_t header_size = magic_size + sizeof(std::uint32_t);
constexpr std::size_t function_size = 5 * sizeof(std::uint32_t);
constexpr std::size_t masks_size = 3 * sizeof(std::uint32_t);
constexpr std::size_t smallest_pair = 2;

using parsed = tl::expected<stream_record, std::string>;

std::string text(byte_reader& in) {
  return std::string(in.take(in.u32()));
}

tl::expected<std::vector<counter>, std::string> counts(byte_reader& in) {
  const std::uint32_t pairs = in.u32();
  if (pairs > in.remaining() / smallest_pair) {
    return tl::unexpected(fmt::format("{} counters where only {} bytes are left", pairs, in.remaining()));
  }
  std::vector<counter> result;
  result.reserve(pairs);
  std::uint64_t id = 0;
  for (std::uint32_t i = 0; i < pairs; ++i) {
    const std::uint64_t delta = in.varint();
    const std::uint64_t count = in.varint();
    if (in.failed()) return tl::unexpected(std::string("a counter that is cut off or has more than 64 bits"));
    if (i > 0 && delta == 0) return tl::unexpected(fmt::format("counter {} twice", id));
    if (delta > std::numeric_limits<std::uint32_t>::max() - id) {
      return tl::unexpected(fmt::format("a counter id above 2^32 after {}", id));
    }
    id += delta;
    if (count == 0) return tl::unexpected(fmt::format("a count of zero for counter {}", id));
    result.push_back({static_cast<std::uint32_t>(id), count});
  }
  return result;
}

parsed module_payload(byte_reader& in) {
  module_record result;
  result.gcda_path = text(in);
  result.gcc_version = in.u32();
  result.stamp = in.u32();
  result.checksum = in.u32();
  const std::uint32_t functions = in.u32();
  if (functions > in.remaining() / function_size) {
    return tl::unexpected(fmt::format("{} functions where only {} bytes are left", functions, in.remaining()));
  }
  result.functions.resize(functions);
  for (auto& function : result.functions) {
    function.ident = in.u32();
    function.lineno_checksum = in.u32();
    function.cfg_checksum = in.u32();
    function.counters = in.u32();
    function.first_id = in.u32();
    if (function.counters > std::numeric_limits<std::uint32_t>::max() - function.first_id) {
      return tl::unexpected(fmt::format("counter ids above 2^32 in '{}'", result.gcda_path));
    }
  }
  if (in.failed() || in.remaining() == 0) return result;
  const std::uint32_t with_conditions = in.u32();
  if (with_conditions > in.remaining() / masks_size) {
    return tl::unexpected(
        fmt::format("{} functions with conditions where only {} bytes are left", with_conditions, in.remaining()));
  }
  for (std::uint32_t i = 0; i < with_conditions; ++i) {
    const std::uint32_t index = in.u32();
    if (index >= functions) {
      return tl::unexpected(fmt::format("conditions of function {} of {} in '{}'", index, functions, result.gcda_path));
    }
    auto& function = result.functions[index];
    function.masks = in.u32();
    function.first_mask_id = in.u32();
    if (function.masks > std::numeric_limits<std::uint32_t>::max() - function.first_mask_id) {
      return tl::unexpected(fmt::format("counter ids above 2^32 in '{}'", result.gcda_path));
    }
  }
  return result;
}

parsed startup_payload(byte_reader& in) {
  startup_record result;
  result.incomplete = in.u32();
  auto counters = counts(in);
  if (!counters) return tl::unexpected(counters.error());
  result.counters = std::move(*counters);
  return result;
}

parsed row_payload(byte_reader& in) {
  row_record result;
  result.test = text(in);
  const std::uint8_t outcome = in.u8();
  if (outcome > morph_stream::exited) {
    return tl::unexpected(
        fmt::format("outcome {} of test '{}', which this version does not know", outcome, result.test));
  }
  result.outcome = static_cast<morph_stream::outcome>(outcome);
  result.detail = in.i32();
  result.incomplete = in.u32();
  result.wall_us = in.u64();
  result.cpu_us = in.u64();
  auto counters = counts(in);
  if (!counters) return tl::unexpected(fmt::format("{} in the row of test '{}'", counters.error(), result.test));
  result.counters = std::move(*counters);
  return result;
}

parsed variables_payload(byte_reader& in) {
  variables_record result;
  result.names = split_names(in.take(in.remaining()));
  return result;
}

bool known(std::uint8_t kind) {
  using namespace morph_stream;
  return kind == module || kind == startup || kind == begin || kind == row || kind == variables || kind == end;
}

parsed payload(std::uint8_t kind, byte_reader in) {
  const auto record = [&]() -> parsed {
    switch (kind) {
      case morph_stream::module:
        return module_payload(in);
      case morph_stream::startup:
        return startup_payload(in);
      case morph_stream::begin:
        return begin_record{text(in)};
      case morph_stream::row:
        return row_payload(in);
      case morph_stream::variables:
        return variables_payload(in);
      default:
        return end_record{};
    }
  };
  auto result = record();
  if (!result) return result;
  if (in.failed()) return tl::unexpected(std::string("a field that is longer than its record"));
  if (in.remaining() > 0) return tl::unexpected(fmt::format("{} bytes too many in a record", in.remaining()));
  return result;
}

}  // namespace

std::vector<std::string> split_names(std::string_view bytes) {
  std::vector<std::string> names;
  while (!bytes.empty()) {
    const auto end = std::min(bytes.find('\0'), bytes.size());
    if (end != 0) names.emplace_back(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return names;
}

void stream_reader::feed(std::string_view bytes) {
  if (!error_.empty()) return;
  buffer_.erase(0, at_);
  at_ = 0;
  buffer_.append(bytes);
}

tl::expected<std::optional<stream_record>, std::string> stream_reader::next() {
  if (!error_.empty()) return tl::unexpected(error_);
  byte_reader in(std::string_view(buffer_).substr(at_));
  const auto consumed = [&] {
    at_ += in.offset();
    stream_offset_ += in.offset();
  };
  if (!header_read_) {
    const std::string_view magic(morph_stream::magic, magic_size);
    const auto start = std::string_view(buffer_).substr(0, magic_size);
    if (start != magic.substr(0, start.size())) {
      return fail("this is no measuring stream: is the runtime linked into the test program?");
    }
    if (in.remaining() < header_size) return std::nullopt;
    in.take(magic_size);
    const std::uint32_t version = in.u32();
    if (version != morph_stream::format_version) {
      return fail(fmt::format("the test program writes format {}, this morph reads format {}; rebuild the twin",
                              version, morph_stream::format_version));
    }
    header_read_ = true;
    consumed();
    return next();
  }
  if (in.remaining() == 0) return std::nullopt;
  const std::uint8_t kind = in.u8();
  if (ended_) return fail("bytes after the end record");
  if (!known(kind)) return fail(fmt::format("a record of unknown kind 0x{:02x}", kind));
  if (in.remaining() < sizeof(std::uint32_t)) return std::nullopt;
  const std::uint32_t length = in.u32();
  if (length > longest_payload) return fail(fmt::format("a record of {} bytes, above {}", length, longest_payload));
  if (in.remaining() < length) return std::nullopt;
  auto record = payload(kind, byte_reader(in.take(length)));
  if (!record) return fail(record.error());
  consumed();
  ended_ = kind == morph_stream::end;
  return std::move(*record);
}

tl::expected<void, std::string> stream_reader::finish() const {
  if (!error_.empty()) return tl::unexpected(error_);
  if (ended_ && at_ == buffer_.size()) return {};
  return tl::unexpected(
      fmt::format("the measuring stream stopped at byte {}, before its end record: the test program died or was killed",
                  stream_offset_ + (buffer_.size() - at_)));
}

tl::unexpected<std::string> stream_reader::fail(std::string message) {
  error_ = fmt::format("bad measuring stream at byte {}: {}", stream_offset_, message);
  return tl::unexpected(error_);
}

}  // namespace morph::gcov
