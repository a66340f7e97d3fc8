// Tables that other programs read: comma-separated values, NumPy's arrays.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace morph::report {

/// A line with its '\n'. A field with a comma, a quote or an end of line in it is quoted as RFC 4180 says.
std::string csv_line(std::span<const std::string> fields);

/// A file of NumPy's format, version 1.0 (numpy.lib.format): one dimension of '<u8', '<u4' or '<i8'.
std::string npy_array(std::span<const std::uint64_t> values);
std::string npy_array(std::span<const std::uint32_t> values);
std::string npy_array(std::span<const std::int64_t> values);

}  // namespace morph::report
