// Writing literals.
#include "plugin/generate/literal_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <cmath>

namespace morph::generate {

std::string integer_text(std::int64_t value, const std::string& type, std::uint32_t bytes, bool is_unsigned) {
  if (is_unsigned) {
    const auto number = static_cast<std::uint64_t>(value);
    if (bytes == 8) return fmt::format("{}{}", number, type.find("long long") != std::string::npos ? "ULL" : "UL");
    if (bytes == 4) return fmt::format("{}U", static_cast<std::uint32_t>(number));
    return fmt::format("static_cast<{}>({})", type, number);
  }
  if (bytes == 8) {
    const char* const suffix = type.find("long long") != std::string::npos ? "LL" : "L";
    if (value == INT64_MIN) return fmt::format("(-9223372036854775807{} - 1)", suffix);
    return fmt::format("{}{}", value, suffix);
  }
  if (bytes == 4) return value == INT32_MIN ? "(-2147483647 - 1)" : fmt::format("{}", value);
  return fmt::format("static_cast<{}>({})", type, value);
}

std::string real_text(double value, bool is_single) {
  if (std::isnan(value)) return is_single ? "std::nanf(\"\")" : "std::nan(\"\")";
  if (std::isinf(value)) return value < 0 ? "-HUGE_VAL" : "HUGE_VAL";
  std::string text = is_single ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return is_single ? text + "F" : text;
}

std::string enumerator_text(const std::string& type, const std::vector<std::pair<std::int64_t, std::string>>& of,
                            std::int64_t value) {
  for (const auto& [number, name] : of)
    if (number == value && !name.empty()) return name;
  return fmt::format("static_cast<{}>({})", type, value);
}

std::string quoted_bytes(const std::string& text) {
  std::string made = "\"";
  bool after_number = false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = byte >= 0x20 && byte < 0x7F;
    const bool is_trigraph = c == '?' && made.back() == '?';
    if (c == '"' || c == '\\' || is_trigraph) {
      made += '\\';
      made += c;
    } else if (c == '\n') {
      made += "\\n";
    } else if (c == '\t') {
      made += "\\t";
    } else if (is_plain) {
      if (after_number && std::isxdigit(byte) != 0) made += "\"\"";
      made += c;
    } else {
      made += fmt::format("\\x{:02x}", byte);
      after_number = true;
      continue;
    }
    after_number = false;
  }
  return made + '"';
}

std::string quoted(const std::string& text) {
  const std::string made = quoted_bytes(text);
  if (text.find('\0') != std::string::npos) return fmt::format("std::string({}, {})", made, text.size());
  return made;
}

std::string elements_text(const parameter& element, const literal& of, const literal_table& literals) {
  std::vector<std::string> made;
  for (const std::uint32_t each : of.elements) made.push_back(literal_text(element, each, literals));
  return fmt::format("{}", fmt::join(made, ", "));
}

std::string literal_text(const parameter& of, std::uint32_t number, const literal_table& literals) {
  const literal& value = literals[number];
  if (of.how == parameter::kind::enumeration) return enumerator_text(of.type, of.enumerators, value.number);
  if (of.how == parameter::kind::list) {
    std::vector<std::string> elements;
    for (std::size_t i = 0; i < value.elements.size() && (!of.is_optional || i == 0); ++i) {
      const std::uint32_t each = value.elements[i];
      if (of.is_tuple) {
        elements.push_back(literal_text(of.elements[i], each, literals));
      } else if (of.is_map) {
        const literal& pair = literals[each];
        elements.push_back(fmt::format("{{{}, {}}}", literal_text(of.elements[0], pair.elements[0], literals),
                                       literal_text(of.elements[1], pair.elements[1], literals)));
      } else {
        elements.push_back(literal_text(of.elements[0], each, literals));
      }
    }
    return fmt::format("{}{{{}}}", of.type, fmt::join(elements, ", "));
  }
  if (value.kind == 's') {
    const std::string text = quoted(value.text);
    // A view of a temporary text would be left behind.
    if (of.how == parameter::kind::view)
      return text.starts_with('"')
                 ? fmt::format("std::string_view({})", text)
                 : fmt::format("std::string_view({}, {})", quoted_bytes(value.text), value.text.size());
    if (of.how == parameter::kind::text && text.starts_with('"')) return fmt::format("std::string({})", text);
    if (of.how == parameter::kind::c_text) return quoted_bytes(value.text.substr(0, value.text.find('\0')));
    if (of.how == parameter::kind::array) return quoted_bytes(value.text);
    return text;
  }
  if (value.kind == 'd') return real_text(value.real, of.bytes == 4);
  if (of.is_bool) return value.number != 0 ? "true" : "false";
  if (of.is_character && value.number >= 0x20 && value.number < 0x7F && value.number != '\'' && value.number != '\\')
    return fmt::format("'{}'", static_cast<char>(value.number));
  return integer_text(value.number, of.type, of.bytes, of.is_unsigned);
}

}  // namespace morph::generate
