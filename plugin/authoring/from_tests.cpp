// From recipes to values of fields.
#include "plugin/authoring/from_tests.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace morph::authoring {
namespace {

using nlohmann::json;
using text = std::optional<std::string>;

constexpr std::size_t most_bytes = 200;

text quoted(const json& value) {
  if (!value.contains("text")) return std::nullopt;
  const std::string from = value["text"];
  if (from.size() > most_bytes) return std::nullopt;
  std::string made = "\"";
  for (const char c : from) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      made += fmt::format("\\{}", c);
    else if (c == '\n')
      made += "\\n";
    else if (c == '\t')
      made += "\\t";
    else if (byte < 0x20 || byte == 0x7F)
      made += fmt::format("\\{:03o}", byte);
    else
      made += c;
  }
  made += '"';
  return from.find('\0') == from.npos ? made : fmt::format("std::string({}, {})", made, from.size());
}

text character(const json& value) {
  if (!value.contains("number")) return std::nullopt;
  const auto code = value["number"].get<std::int64_t>();
  if (code < 0x20 || code >= 0x7F) return fmt::format("static_cast<char>({})", code);
  const auto c = static_cast<char>(code);
  return c == '\'' || c == '\\' ? fmt::format("'\\{}'", c) : fmt::format("'{}'", c);
}

text enumerator(const json& type, const json& use, const json& value) {
  if (!value.contains("number")) return std::nullopt;
  const json numbers = type.value("numbers", json::array());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] == value["number"]) return type.at("values")[i].get<std::string>();
  return fmt::format("static_cast<{}>({})", use.at("spelled").get<std::string>(), value["number"].get<std::int64_t>());
}

text integer(const json& type, const json& value) {
  if (!value.contains("number")) return std::nullopt;
  const auto number = value["number"].get<std::int64_t>();
  const int bits = type.at("bits");
  const bool is_signed = type.at("signed");
  // Of 64 bits without a sign, the upper half is written as it is stored.
  if (!is_signed && bits >= 64) return fmt::format("{}U", static_cast<std::uint64_t>(number));
  const std::int64_t most = bits >= 64 ? INT64_MAX : (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  if (number > most || number < (is_signed ? -most - 1 : 0) || number == INT64_MIN) return std::nullopt;
  return fmt::format("{}", number);
}

text floating(const json& value) {
  if (value.contains("number")) return fmt::format("{}.0", value["number"].get<std::int64_t>());
  if (!value.contains("real")) return std::nullopt;
  std::string made = fmt::format("{}", value["real"].get<double>());
  return made.find_first_of(".e") == made.npos ? made + ".0" : made;
}

text value_of(const described_types& types, const json& use, const json& value) {
  if (value.is_null()) return std::nullopt;
  const json& type = types.of(use);
  const std::string kind = type.at("kind");
  if (kind == "bool" && value.contains("number")) return value["number"] != 0 ? "true" : "false";
  if (kind == "integer") return integer(type, value);
  if (kind == "floating") return floating(value);
  if (kind == "character") return character(value);
  if (kind == "string" || kind == "string_view" || kind == "path") return quoted(value);
  if (kind == "enumeration") return enumerator(type, use, value);
  if (!value.contains("list")) return std::nullopt;
  const json& elements = value["list"];
  const bool is_record = kind == "record" && type.value("aggregate", false);
  const json uses = is_record ? type.at("fields") : type.value("of", json::array());
  const bool is_tuple = is_record || kind == "tuple";
  if (!is_tuple && kind != "sequence" && kind != "set") return std::nullopt;
  if (uses.empty() || (is_tuple && elements.size() != uses.size())) return std::nullopt;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const auto part = value_of(types, uses[is_tuple ? i : 0], elements[i]);
    if (!part) return std::nullopt;
    parts.push_back(*part);
  }
  const std::string name = is_record ? spelled(type) : use.at("spelled").get<std::string>();
  return fmt::format("{}{{{}}}", name, fmt::join(parts, ", "));
}

class reading {
 public:
  reading(const described_types& types, const json& fields, const declared_function& of)
      : types_(types), fields_(fields), of_(of) {}

  void add(const json& line) {
    const json callees = line.value("callees", json::array());
    const json recipes = line.value("recipes", json::array());
    for (const json& recipe : recipes)
      for (const json& call : recipe.at("calls"))
        if (is_of_function(callees.at(call.at("callee").get<std::size_t>()))) add(call, recipe.at("calls"), callees);
  }

  std::vector<std::vector<std::string>> take() { return std::move(made_); }

 private:
  bool is_of_function(const json& callee) const {
    const auto file = (std::filesystem::path(of_.root) / callee.at("file").get<std::string>()).lexically_normal();
    return callee.at("line") == of_.line && file == of_.file;
  }

  void add(const json& call, const json& calls, const json& callees) {
    std::vector<std::string> row;
    for (const json& field : fields_) {
      const json* const value = value_at(field, call, calls, callees);
      const auto written = value != nullptr ? value_of(types_, field, *value) : std::nullopt;
      if (!written) return;
      row.push_back(*written);
    }
    if (std::ranges::find(made_, row) == made_.end()) made_.push_back(std::move(row));
  }

  /// An argument, or that of the constructor which made it, if nothing has changed the object since.
  static const json* value_at(const json& field, const json& call, const json& calls, const json& callees) {
    const auto from = field.value("from", std::vector<std::size_t>());
    if (from.empty() || from[0] >= call.at("arguments").size()) return nullptr;
    const json& argument = call["arguments"][from[0]];
    if (from.size() == 1) return &argument;
    if (!argument.is_object() || !argument.contains("call")) return nullptr;
    const std::size_t made_by = argument["call"];
    for (std::size_t i = made_by + 1; i < calls.size() && &calls[i] != &call; ++i)
      for (const std::size_t changed : callees.at(calls[i].at("callee").get<std::size_t>()).at("changes"))
        if (changed < calls[i].at("arguments").size() && calls[i]["arguments"][changed] == argument) return nullptr;
    if (!callees.at(calls.at(made_by).at("callee").get<std::size_t>()).at("constructor")) return nullptr;
    const json& arguments = calls.at(made_by).at("arguments");
    const std::size_t written = calls.at(made_by).at("written");
    return from[1] < arguments.size() && written == from[2] ? &arguments[from[1]] : nullptr;
  }

  const described_types& types_;
  const json& fields_;
  const declared_function& of_;
  std::vector<std::vector<std::string>> made_;
};

}  // namespace

std::vector<std::vector<std::string>> inputs_of_tests(const described_types& types, const json& fields,
                                                      const declared_function& of, const std::vector<json>& recipes,
                                                      std::size_t most) {
  reading all(types, fields, of);
  for (const json& each : recipes) all.add(each);
  std::vector<std::vector<std::string>> found = all.take(), made;
  const std::size_t count = std::min(most, found.size());
  for (std::size_t i = 0; i < count; ++i) made.push_back(std::move(found[i * found.size() / count]));
  return made;
}

}  // namespace morph::authoring
