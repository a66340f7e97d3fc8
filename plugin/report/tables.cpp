// Quoting fields; headers and bytes of arrays.
#include "plugin/report/tables.hpp"

#include <fmt/format.h>

#include <string_view>
#include <type_traits>

namespace morph::report {
namespace {

/// The least significant byte first, on any machine.
template <class Number>
void append(std::string& bytes, Number number) {
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    bytes += static_cast<char>(static_cast<std::make_unsigned_t<Number>>(number) >> (8 * i) & 0xFFU);
}

template <class Number>
std::string npy(std::string_view type, std::span<const Number> values) {
  constexpr std::string_view magic("\x93NUMPY\x01\x00", 8);
  constexpr std::size_t unit = 64;  // the data begin at a multiple of it
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", type, values.size());
  const std::size_t before = magic.size() + sizeof(std::uint16_t);
  const std::size_t begin = (before + header.size() + 1 + unit - 1) / unit * unit;
  header.append(begin - before - header.size() - 1, ' ') += '\n';

  std::string bytes;
  bytes.reserve(begin + values.size_bytes());
  bytes += magic;
  append(bytes, static_cast<std::uint16_t>(header.size()));
  bytes += header;
  for (const Number number : values) append(bytes, number);
  return bytes;
}

}  // namespace

std::string csv_line(std::span<const std::string> fields) {
  std::string line;
  for (const std::string& field : fields) {
    if (&field != &fields.front()) line += ',';
    if (field.find_first_of(",\"\r\n") == std::string::npos) {
      line += field;
      continue;
    }
    line += '"';
    for (const char c : field) line.append(c == '"' ? 2 : 1, c);
    line += '"';
  }
  return line + '\n';
}

std::string npy_array(std::span<const std::uint64_t> values) {
  return npy("<u8", values);
}
std::string npy_array(std::span<const std::uint32_t> values) {
  return npy("<u4", values);
}
std::string npy_array(std::span<const std::int64_t> values) {
  return npy("<i8", values);
}

}  // namespace morph::report
