// Writing assertions.
#include "plugin/generate/expectations.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "plugin/generate/literal_text.hpp"

namespace morph::generate {
namespace {

/// The preprocessor takes commas outside of parentheses for its own.
std::string for_macro(const std::string& text) {
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == ',' && depth == 0) {
      return "(" + text + ")";
    }
    if (quote == 0) depth += c == '(' ? 1 : c == ')' ? -1 : 0;
  }
  return text;
}

std::string equal(const std::string& call, const std::string& expected, bool is_gtest) {
  const std::string actual = call.starts_with('(') ? call : for_macro(call);
  return is_gtest ? fmt::format("EXPECT_EQ({}, {});", actual, expected)
                  : fmt::format("CHECK({} == {});", actual, expected);
}

}  // namespace

std::string expected_exception(const std::string& call, const std::string& type, const std::string& framework) {
  const bool is_gtest = framework == "gtest";
  const std::string text = for_macro(call);
  if (type.empty() || type.find("anonymous") != std::string::npos)
    return fmt::format("{}({});", is_gtest ? "EXPECT_ANY_THROW" : "CHECK_THROWS", text);
  return fmt::format("{}({}, {});", is_gtest ? "EXPECT_THROW" : "CHECK_THROWS_AS", text, type);
}

std::string expectation(const returned& of, const std::string& call, const observation& seen,
                        const std::string& framework) {
  const bool is_gtest = framework == "gtest";
  const std::string text = for_macro(call);
  const std::string value = seen.text.substr(1);
  switch (seen.text[0]) {
    case 'b':
      if (is_gtest) return fmt::format("EXPECT_{}({});", value == "1" ? "TRUE" : "FALSE", text);
      return value == "1" ? fmt::format("CHECK({});", text) : fmt::format("CHECK_FALSE({});", text);
    case 'i':
      return equal(text, integer_text(std::atoll(value.c_str()), "int", of.bytes == 8 ? 8 : 4, false), is_gtest);
    case 'u':
      return equal(text,
                   integer_text(static_cast<std::int64_t>(std::strtoull(value.c_str(), nullptr, 10)), "unsigned",
                                of.bytes == 8 ? 8 : 4, true),
                   is_gtest);
    case 'd': {
      const double number = std::strtod(value.c_str(), nullptr);
      if (std::isnan(number)) return fmt::format("{}(std::isnan({}));", is_gtest ? "EXPECT_TRUE" : "CHECK", text);
      if (!is_gtest) return equal(text, real_text(number, of.bytes == 4), is_gtest);
      return fmt::format("EXPECT_{}_EQ({}, {});", of.bytes == 4 ? "FLOAT" : "DOUBLE", text,
                         real_text(number, of.bytes == 4));
    }
    case 's':
      if (of.how == returned::kind::c_text)
        return is_gtest ? fmt::format("EXPECT_STREQ({}, {});", text, quoted(value))
                        : equal(fmt::format("std::string({})", text), quoted(value), is_gtest);
      return equal(text, quoted(value), is_gtest);
    case 'e':
      return equal(text, enumerator_text(of.type, of.enumerators, std::atoll(value.c_str())), is_gtest);
    case 'n':
      return equal(text, "nullptr", is_gtest);
    default:
      return is_gtest ? fmt::format("EXPECT_NE({}, nullptr);", text) : fmt::format("CHECK({} != nullptr);", text);
  }
}

}  // namespace morph::generate
