// Values of fields around constants.
#include "plugin/authoring/borders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace morph::authoring {
namespace {

using nlohmann::json;
using source_reader::constant;

/// A literal between such quotes; constants have no other escapes.
std::string quoted(const std::string& text, char quote) {
  std::string made(1, quote);
  for (const char c : text) {
    if (c == quote || c == '\\') made += '\\';
    made += c;
  }
  return made + quote;
}

/// Those that the type holds, the constant first.
std::vector<std::string> integers_near(const json& type, std::int64_t number) {
  const bool is_signed = type.at("signed");
  const int bits = type.at("bits");
  const std::int64_t most =
      bits > 62 ? std::numeric_limits<std::int64_t>::max() - 1 : (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  std::vector<std::string> made;
  if (number > most) return made;
  for (const std::int64_t each : {number, number - 1, number + 1})
    if (each <= most && each >= (is_signed ? -most - 1 : 0)) made.push_back(fmt::format("{}", each));
  return made;
}

std::vector<std::string> near(const described_types& types, const json& field, const constant& of) {
  const std::string kind = types.kind(field);
  const bool is_text = kind == "string" || kind == "string_view" || kind == "path";
  switch (of.is) {
    case constant::kind::number:
      if (kind == "integer") return integers_near(types.of(field), of.number);
      if (kind == "floating") return {fmt::format("{}.0", of.number)};
      return {};
    case constant::kind::character:
      if (kind == "character") return {quoted(std::string(1, static_cast<char>(of.number)), '\'')};
      if (is_text) return {quoted(std::string(1, static_cast<char>(of.number)), '"')};
      return {};
    case constant::kind::text:
      return is_text ? std::vector<std::string>{quoted(of.text, '"')} : std::vector<std::string>();
  }
  return {};
}

}  // namespace

std::vector<std::vector<std::string>> borders_of(const described_types& types, const json& fields,
                                                 const std::vector<constant>& constants, std::size_t most) {
  std::vector<std::string> plain;
  for (const json& each : fields) {
    const auto value = types.example(each, 0);
    if (!value) return {};
    plain.push_back(*value);
  }
  std::vector<std::vector<std::string>> made;
  for (const constant& each : constants)
    for (std::size_t i = 0; i < fields.size(); ++i)
      for (std::string& value : near(types, fields[i], each)) {
        std::vector<std::string> one = plain;
        one[i] = std::move(value);
        if (made.size() < most && std::ranges::find(made, one) == made.end()) made.push_back(std::move(one));
      }
  return made;
}

}  // namespace morph::authoring
