// Literals as a source writes them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "plugin/generate/literals.hpp"
#include "plugin/generate/model.hpp"

namespace morph::generate {

std::string literal_text(const parameter& of, std::uint32_t number, const literal_table& literals);

/// With commas between them.
std::string elements_text(const parameter& element, const literal& of, const literal_table& literals);

std::string integer_text(std::int64_t value, const std::string& type, std::uint32_t bytes, bool is_unsigned);
std::string real_text(double value, bool is_single);
std::string enumerator_text(const std::string& type, const std::vector<std::pair<std::int64_t, std::string>>& of,
                            std::int64_t value);

/// As an expression that keeps bytes that are 0.
std::string quoted(const std::string& text);
/// Between quotes, whatever its bytes are.
std::string quoted_bytes(const std::string& text);

}  // namespace morph::generate
