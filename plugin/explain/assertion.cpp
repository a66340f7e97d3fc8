// Literals by their form and the type beside them; the frameworks' forms are those of generated tests.
#include "plugin/explain/assertion.hpp"

#include <fmt/format.h>

#include <regex>
#include <string_view>

#include "plugin/generate/expectations.hpp"

namespace morph::explain {
namespace {

bool is_quoted(std::string_view text, char quote) {
  if (text.size() < 2 || text.front() != quote || text.back() != quote) return false;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == quote) return false;
    if (text[i] == '\\' && ++i + 1 >= text.size()) return false;
  }
  return true;
}

bool is_number(const std::string& text) {
  static const std::regex number("-?(0[xX][0-9a-fA-F]+|[0-9]+(\\.[0-9]*)?([eE][-+]?[0-9]+)?)[uUlLfF]*");
  return std::regex_match(text, number);
}

bool is_name(const std::string& text) {
  static const std::regex name("(::)?[A-Za-z_][A-Za-z_0-9]*(::[A-Za-z_][A-Za-z_0-9]*)*");
  return std::regex_match(text, name);
}

/// Without what does not matter to its values.
std::string plain_type(std::string type) {
  static const std::regex noise("\\b(const|volatile)\\b|&");
  type = std::regex_replace(type, noise, "");
  const auto first = type.find_first_not_of(' '), last = type.find_last_not_of(' ');
  return first == std::string::npos ? std::string() : type.substr(first, last - first + 1);
}

bool is_unsigned(const std::string& type) {
  return type.starts_with("unsigned") || type.ends_with("size_t") || type.ends_with("size_type") ||
         std::regex_match(type, std::regex("(std::)?uint[0-9a-z_]*_t"));
}

bool is_not_null(const std::string& value) {
  return value == "not nullptr" || value == "non-null" || value == "not null";
}

}  // namespace

bool is_literal(const std::string& value) {
  return is_number(value) || is_quoted(value, '"') || is_quoted(value, '\'') || is_name(value) || is_not_null(value);
}

std::string assertion_of(const asserted_value& of) {
  if (!is_literal(of.expected) || of.expression.empty()) return {};
  const bool is_gtest = of.framework == "gtest";
  const std::string type = plain_type(of.type);
  generate::returned value{.how = generate::returned::kind::number, .type = type};
  generate::observation seen;
  if (of.expected == "true" || of.expected == "false") {
    seen.text = of.expected == "true" ? "b1" : "b0";
  } else if (of.expected == "nullptr" || is_not_null(of.expected)) {
    seen.text = of.expected == "nullptr" ? "n" : "p";
  } else if (of.expected == "nan" || of.expected == "NAN") {
    seen.text = "dnan";
  } else if (is_number(of.expected) && (type == "double" || type == "float")) {
    seen.text = 'd' + of.expected;
    value.bytes = type == "float" ? 4 : 8;
  } else if (is_quoted(of.expected, '"') && is_gtest && (type == "char *" || type == "char*")) {
    return fmt::format("EXPECT_STREQ({}, {});", of.expression, of.expected);
  } else {
    std::string expected = of.expected;
    if (is_number(expected) && std::isdigit(static_cast<unsigned char>(expected.back())) != 0 &&
        expected.find('.') == std::string::npos && expected.front() != '-' && is_unsigned(type))
      expected += 'U';
    const bool is_c_text = is_quoted(expected, '"') && (type == "char *" || type == "char*");
    value.enumerators = {{0, expected}};
    seen.text = "e0";
    return generate::expectation(value, is_c_text ? fmt::format("std::string({})", of.expression) : of.expression, seen,
                                 of.framework);
  }
  return generate::expectation(value, of.expression, seen, of.framework);
}

}  // namespace morph::explain
