// Varints of differences.
#include "plugin/store/codec.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "plugin/store/compression.hpp"

namespace morph::store {
namespace {

/// Longer runs are cut: no few bytes stand for gigabytes of numbers.
constexpr std::uint64_t longest_run = 128;

void put(std::string& bytes, std::uint64_t value) {
  while (value >= 0x80) {
    bytes.push_back(static_cast<char>(0x80 | (value & 0x7f)));
    value >>= 7;
  }
  bytes.push_back(static_cast<char>(value));
}

class varints {
 public:
  explicit varints(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool at_end() const { return at_ == end_; }
  bool failed() const { return failed_; }
  std::size_t remaining() const { return static_cast<std::size_t>(end_ - at_); }
  /// How many end in what is left; a number that is cut off counts too.
  std::uint64_t numbers() const {
    const auto ends = std::count_if(at_, end_, [](char byte) { return (byte & 0x80) == 0; });
    return static_cast<std::uint64_t>(ends) + (at_ != end_ && (end_[-1] & 0x80) != 0 ? 1 : 0);
  }
  /// 0 after a failure.
  std::uint64_t next() {
    if (at_ != end_ && static_cast<unsigned char>(*at_) < 0x80) return static_cast<unsigned char>(*at_++);
    std::uint64_t value = 0;
    for (int shift = 0; at_ != end_ && shift <= 63; shift += 7) {
      const auto byte = static_cast<unsigned char>(*at_++);
      if (shift == 63 && byte > 1) break;
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    fail();
    return 0;
  }
  std::pair<std::uint64_t, bool> next_flagged() {
    if (at_ == end_) fail();
    if (failed_) return {0, false};
    const auto byte = static_cast<unsigned char>(*at_++);
    std::uint64_t value = byte >> 1 & 0x3f;
    if (byte >= 0x80) {
      const std::uint64_t rest = next();
      if (rest >> 58 != 0) fail();
      value |= rest << 6;
    }
    return {value, (byte & 1) != 0};
  }
  void fail() {
    failed_ = true;
    at_ = end_;
  }

 private:
  const char* at_;
  const char* end_;
  bool failed_ = false;
};

template <typename Number>
void put_ascending(std::string& bytes, std::span<const Number> values) {
  std::uint64_t previous = 0;
  for (const std::uint64_t value : values) {
    put(bytes, value - previous);
    previous = value;
  }
}

template <typename Number>
bool get_ascending(varints& in, std::uint64_t count, std::vector<Number>& values) {
  std::uint64_t previous = 0;
  for (; count > 0; --count) {
    const std::uint64_t value = previous + in.next();
    if ((!values.empty() && value <= previous) || value > std::numeric_limits<Number>::max()) in.fail();
    if (in.failed()) return false;
    values.push_back(static_cast<Number>(value));
    previous = value;
  }
  return true;
}

template <typename Number>
std::string encode(std::span<const Number> values) {
  std::string bytes;
  put_ascending(bytes, values);
  return bytes;
}

/// A varint of 65 bits, the flag first: a difference between two kinds of elements may need 64.
void put_flagged(std::string& bytes, std::uint64_t value, bool flag) {
  const std::uint64_t rest = value >> 6;
  bytes.push_back(static_cast<char>((rest != 0 ? 0x80 : 0) | (value & 0x3f) << 1 | (flag ? 1 : 0)));
  if (rest != 0) put(bytes, rest);
}

/// Appends each run as the difference to the number before it and, if it is longer than one, its length. How many runs.
std::uint64_t put_runs(std::string& bytes, std::span<const std::uint64_t> values, std::uint64_t previous) {
  std::uint64_t runs = 0;
  for (std::size_t i = 0; i < values.size(); ++runs) {
    std::size_t length = 1;
    while (i + length < values.size() && length < longest_run && values[i + length] == values[i] + length) ++length;
    put_flagged(bytes, values[i] - previous, length > 1);
    if (length > 1) put(bytes, length - 2);
    i += length;
    previous = values[i - 1];
  }
  return runs;
}

bool get_run(varints& in, std::uint64_t previous, std::vector<std::uint64_t>& values) {
  const auto [difference, is_long] = in.next_flagged();
  const std::uint64_t first = previous + difference;
  const std::uint64_t length = is_long ? in.next() + 2 : 1;
  const bool ascends = (values.empty() || first > values.back()) && length - 1 <= ~first;
  if (in.failed() || length > longest_run || !ascends) {
    in.fail();
    return false;
  }
  for (std::uint64_t i = 0; i < length; ++i) values.push_back(first + i);
  return true;
}

}  // namespace

std::string encode_ascending(std::span<const std::uint64_t> values) {
  return encode(values);
}
std::string encode_ascending(std::span<const std::uint32_t> values) {
  return encode(values);
}

template <typename Number>
std::optional<std::vector<Number>> decode_ascending(std::string_view bytes) {
  std::vector<Number> values;
  varints in(bytes);
  values.reserve(in.numbers());
  if (!get_ascending(in, in.numbers(), values)) return std::nullopt;
  if (!in.at_end()) return std::nullopt;
  return values;
}
template std::optional<std::vector<std::uint32_t>> decode_ascending(std::string_view bytes);
template std::optional<std::vector<std::uint64_t>> decode_ascending(std::string_view bytes);

std::string encode_runs(std::span<const std::uint64_t> values) {
  std::string bytes;
  put_runs(bytes, values, 0);
  return bytes;
}

bool decode_runs(std::string_view bytes, std::vector<std::uint64_t>& values) {
  values.clear();
  for (varints in(bytes); !in.at_end();)
    if (!get_run(in, values.empty() ? 0 : values.back(), values)) return false;
  return true;
}

void class_packer::add(const element_class& c) {
  put(packed_.tests, c.tests.size());
  put_ascending(packed_.tests, std::span<const std::uint32_t>(c.tests));
  std::string runs;
  const std::uint64_t count = put_runs(runs, c.elements, previous_first_);
  put(packed_.elements, count);
  packed_.elements += runs;
  if (!c.elements.empty()) previous_first_ = c.elements.front();
}

packed_classes class_packer::take() {
  previous_first_ = 0;
  return std::exchange(packed_, {});
}

bool unpack_classes(std::string_view tests, std::string_view elements, std::vector<element_class>& classes) {
  varints of_tests(tests), of_elements(elements);
  std::uint64_t previous_first = 0;
  while (!of_tests.at_end() && !of_elements.at_end()) {
    element_class c;
    const std::uint64_t count = of_tests.next();
    if (count > of_tests.remaining()) return false;
    c.tests.reserve(count);
    if (!get_ascending(of_tests, count, c.tests)) return false;
    std::uint64_t runs = of_elements.next();
    if (runs > of_elements.remaining()) return false;
    for (; runs > 0; --runs)
      if (!get_run(of_elements, c.elements.empty() ? previous_first : c.elements.back(), c.elements)) return false;
    if (!c.elements.empty()) previous_first = c.elements.front();
    classes.push_back(std::move(c));
  }
  return of_tests.at_end() && of_elements.at_end() && !of_tests.failed() && !of_elements.failed();
}

// Column by column, which compresses best: shared and own length of each name, file, first line, lines behind it,
// artificial; then what is own of the names.
std::string pack_functions(std::span<const measured_function> functions) {
  std::array<std::string, 6> columns;
  std::string names;
  std::string_view previous;
  for (const measured_function& f : functions) {
    const std::string_view symbol = f.symbol;
    const auto shared = static_cast<std::size_t>(
        std::mismatch(symbol.begin(), symbol.end(), previous.begin(), previous.end()).first - symbol.begin());
    put(columns[0], shared);
    put(columns[1], symbol.size() - shared);
    put(columns[2], f.file);
    put(columns[3], f.start_line);
    put(columns[4], std::uint32_t{f.end_line - f.start_line});
    put(columns[5], f.artificial ? 1 : 0);
    names += symbol.substr(shared);
    previous = symbol;
  }
  std::string bytes;
  put(bytes, functions.size());
  for (const std::string& column : columns) bytes += column;
  return compressed(bytes + names, check_sum::added);
}

bool unpack_functions(std::string_view bytes, std::vector<measured_function>& functions) {
  const auto plain = decompressed(bytes);
  if (!plain) return false;
  varints in(*plain);
  const std::uint64_t count = in.next();
  if (count > in.remaining()) return false;
  std::vector<std::uint64_t> shared(count), own(count);
  for (std::uint64_t& n : shared) n = in.next();
  for (std::uint64_t& n : own) n = in.next();
  const std::size_t first = functions.size();
  functions.resize(first + count);
  const std::span added(functions.data() + first, count);
  const auto next = [&in] {
    const std::uint64_t value = in.next();
    if (value > std::numeric_limits<std::uint32_t>::max()) in.fail();
    return static_cast<std::uint32_t>(value);
  };
  for (measured_function& f : added) f.file = next();
  for (measured_function& f : added) f.start_line = next();
  for (measured_function& f : added) f.end_line = f.start_line + next();
  for (measured_function& f : added) f.artificial = next() != 0;
  if (in.failed()) return false;
  std::string_view names = std::string_view(*plain).substr(plain->size() - in.remaining()), previous;
  for (std::size_t i = 0; i < count; ++i) {
    if (shared[i] > previous.size() || own[i] > names.size()) return false;
    std::string& symbol = added[i].symbol;
    symbol.reserve(shared[i] + own[i]);
    symbol.append(previous.substr(0, shared[i])).append(names.substr(0, own[i]));
    names.remove_prefix(own[i]);
    previous = symbol;
  }
  return names.empty();
}

}  // namespace morph::store
