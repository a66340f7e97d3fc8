// Code of a type's values, and reasons against a type.
#include "plugin/authoring/types.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>

namespace morph::authoring {
namespace {

constexpr std::array kinds_without_text{"other",   "raw_pointer",      "void",         "string_view",
                                        "span",    "initializer_list", "function",     "function_pointer",
                                        "istream", "ostream",          "null_pointer", "FILE"};

using nlohmann::json;
using text = std::optional<std::string>;

constexpr std::size_t most_members = 16;  // that morph::reflect takes apart

bool has_hook(const json& type) {
  return type.contains("hooks");
}

std::string pick(std::span<const char* const> from, unsigned k) {
  return from[k % from.size()];
}

constexpr std::array signed_values{"1", "2", "0", "-3", "10"};
constexpr std::array unsigned_values{"1", "2", "0", "7", "10"};
constexpr std::array floating_values{"1.0", "0.5", "0.0", "-2.5", "10.0"};
constexpr std::array string_values{R"("abc")", R"("")", R"("Hello, World")", R"("12")", R"(" ")"};
constexpr std::array character_values{"'a'", "'Z'", "'0'", "' '"};
constexpr std::array bool_values{"false", "true"};
constexpr std::array path_values{R"("a/b.txt")", R"("c")", R"("../d")"};

std::string plain(const std::string& spelled) {
  return spelled.starts_with("const ") ? spelled.substr(6) : spelled;
}

}  // namespace

std::string spelled(const json& type) {
  return type.at("spelled");
}

json described_types::string() {
  const char* const name = "std::basic_string<char>";
  if (!types_.contains(name)) types_[name] = {{"kind", "string"}, {"spelled", "std::string"}, {"std", "basic_string"}};
  return {{"type", name}, {"spelled", "std::string"}, {"passed", "value"}};
}

json described_types::vector_of(const json& use) {
  const std::string held = plain(use.at("spelled")), name = fmt::format("std::vector<{}>", held);
  json element = use;
  element["spelled"] = held;
  element["passed"] = "value";
  types_[name] = {{"kind", "sequence"}, {"std", "vector"}, {"spelled", name}, {"of", {element}}};
  return {{"type", name}, {"spelled", name}, {"passed", "value"}};
}

json described_types::optional_of(const json& use) {
  const std::string held = plain(use.at("spelled")), name = fmt::format("std::optional<{}>", held);
  json element = use;
  element["spelled"] = held;
  element["passed"] = "value";
  types_[name] = {{"kind", "optional"}, {"std", "optional"}, {"spelled", name}, {"of", {element}}};
  return {{"type", name}, {"spelled", name}, {"passed", "value"}};
}

std::string described_types::no_record_text(const json& type) const {
  const std::string name = spelled(type);
  if (!type.value("complete", false)) return fmt::format("'{}' is declared only, not defined", name);
  if (type.at("union")) return fmt::format("'{}' is a union", name);
  if (!type.at("bases").empty())
    return fmt::format("'{}' has a base class, '{}'", name, type["bases"][0].get<std::string>());
  if (type.at("bytes")) return {};
  for (const json& field : type.at("fields"))
    if (field.at("access") != "public")
      return fmt::format("'{}' has {} members ('{}')", name, field["access"].get<std::string>(),
                         field.at("name").get<std::string>());
  if (!type.at("aggregate")) return fmt::format("'{}' is no aggregate", name);
  if (type["fields"].size() > most_members)
    return fmt::format("'{}' has {} members, more than {}", name, type["fields"].size(), most_members);
  for (const json& field : type["fields"]) {
    const std::string member = field.at("name");
    if (member.empty()) return fmt::format("'{}' has a member without a name", name);
    if (field.at("bits")) return fmt::format("the member '{}' of '{}' is a bit-field", member, name);
    if (field.at("passed") != "value")
      return fmt::format("the member '{}' of '{}' is a {}", member, name,
                         field["passed"].get<std::string>().ends_with("pointer") ? "pointer" : "reference");
    if (std::string why = no_text(field); !why.empty()) return why;
  }
  return {};
}

std::string described_types::no_text(const json& use) const {
  const json& type = of(use);
  const std::string kind = type.at("kind");
  if (kind == "record") return has_hook(type) ? std::string() : no_record_text(type);
  if (std::ranges::find(kinds_without_text, kind) != kinds_without_text.end())
    return fmt::format("'{}' cannot be written as text", use.at("spelled").get<std::string>());
  for (const json& each : type.value("of", json::array())) {
    if (each.at("passed") != "value")
      return fmt::format("'{}' holds pointers or references", use.at("spelled").get<std::string>());
    if (std::string why = no_text(each); !why.empty()) return why;
  }
  return {};
}

std::string described_types::no_input(const json& use) const {
  if (std::string why = no_text(use); !why.empty()) return why;
  const json& type = of(use);
  const std::string kind = type.at("kind");
  const std::string name = spelled(type);
  if (kind == "owner") return fmt::format("'{}' owns what it points to", name);
  for (const json& each : type.value("of", json::array()))
    if (std::string why = no_input(each); !why.empty()) return why;
  if (kind != "record") return {};
  if (!type.value("default", false)) return fmt::format("'{}' has no default, `{}()`", name, name);
  if (!type.value("copyable", false)) return fmt::format("'{}' cannot be copied", name);
  if (!type.value("assignable", false)) return fmt::format("'{}' cannot be assigned", name);
  for (const json& field : type.at("fields"))
    if (!has_hook(type) && type.at("aggregate"))
      if (std::string why = no_input(field); !why.empty()) return why;
  return {};
}

text described_types::joined_examples(const json& uses, unsigned k) const {
  std::vector<std::string> parts;
  for (const json& each : uses) {
    const auto part = example(each, k + static_cast<unsigned>(parts.size()));
    if (!part) return std::nullopt;
    parts.push_back(*part);
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

text described_types::record_example(const json& type, unsigned k) const {
  const std::string name = spelled(type);
  if (type.at("aggregate")) {
    const auto parts = joined_examples(type.at("fields"), k * 2);
    return parts ? text(fmt::format("{}{{{}}}", name, *parts)) : std::nullopt;
  }
  return type.value("default", false) ? text(name + "()") : std::nullopt;
}

text described_types::example(const json& use, unsigned k) const {
  const json& type = of(use);
  const std::string kind = type.at("kind"), name = use.at("spelled");
  if (kind == "bool") return pick(bool_values, k);
  if (kind == "integer") return type.at("signed") ? pick(signed_values, k) : pick(unsigned_values, k);
  if (kind == "floating") return pick(floating_values, k);
  if (kind == "character") return pick(character_values, k);
  if (kind == "wide_character") return fmt::format("{}({})", name, pick(character_values, k));
  if (kind == "string" || kind == "string_view") return pick(string_values, k);
  if (kind == "path") return pick(path_values, k);
  if (kind == "enumeration") {
    const json& values = type.at("values");
    if (values.empty()) return fmt::format("{}(0)", name);
    return values[k % values.size()].get<std::string>();
  }
  if (kind == "record") return record_example(type, k);
  const json uses = type.value("of", json::array());
  if (uses.empty()) return std::nullopt;
  if (kind == "sequence" || kind == "set") {
    const unsigned sizes[] = {3, 0, 1, 2};
    json held = json::array();
    for (unsigned i = 0; i < sizes[k % 4]; ++i) held.push_back(uses[0]);
    const auto parts = joined_examples(held, k);
    return parts ? text(fmt::format("{}{{{}}}", name, *parts)) : std::nullopt;
  }
  if (kind == "map") {
    if (k % 3 == 1) return name + "{}";
    const auto first = joined_examples(uses, k), second = joined_examples(uses, k + 2);
    if (!first || !second) return std::nullopt;
    return k % 3 == 0 ? fmt::format("{}{{{{{}}}, {{{}}}}}", name, *first, *second)
                      : fmt::format("{}{{{{{}}}}}", name, *first);
  }
  if (kind == "optional") {
    if (k % 2 == 1) return "std::nullopt";
    const auto held = example(uses[0], k / 2);
    return held ? text(fmt::format("{}({})", name, *held)) : std::nullopt;
  }
  if (kind == "variant") {
    const auto held = example(uses[k % uses.size()], k / static_cast<unsigned>(uses.size()));
    return held ? text(fmt::format("{}(std::in_place_index<{}>, {})", name, k % uses.size(), *held)) : std::nullopt;
  }
  if (kind == "tuple") {
    const auto parts = joined_examples(uses, k);
    return parts ? text(fmt::format("{}{{{}}}", name, *parts)) : std::nullopt;
  }
  if (kind == "array" || kind == "c_array") {
    json held = json::array();
    for (std::size_t i = 0; i < type.at("size").get<std::size_t>() && i < 64; ++i) held.push_back(uses[0]);
    if (kind == "c_array" && this->kind(uses[0]) == "character") return held.size() > 3 ? R"("abc")" : R"("")";
    const auto parts = joined_examples(held, k);
    if (!parts) return std::nullopt;
    return kind == "array" ? fmt::format("{}{{{{{}}}}}", name, *parts) : fmt::format("{{{}}}", *parts);
  }
  return std::nullopt;
}

text described_types::joined_generators(const json& uses) const {
  std::vector<std::string> parts;
  for (const json& each : uses) {
    const auto part = generator(each);
    if (!part) return std::nullopt;
    parts.push_back(*part);
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

text described_types::generator(const json& use) const {
  const json& type = of(use);
  const std::string kind = type.at("kind"), name = use.at("spelled");
  if (kind == "bool") return "morph::booleans()";
  if (kind == "integer") return fmt::format("morph::integers<{}>({}, 100)", name, type.at("signed") ? "-100" : "0");
  if (kind == "floating") return "morph::floats(-100, 100)";
  if (kind == "character") return "morph::one_of({'a', 'b', 'Z', '0', ' '})";
  if (kind == "wide_character") return fmt::format("morph::integers<{}>('a', 'z')", name);
  if (kind == "string") return R"(morph::strings(12, "abcXYZ 019.,-"))";
  if (kind == "path")
    return fmt::format(
        R"(morph::mapped(morph::strings(12, "ab./"), [](const std::string& text) {{ return {}(text); }}))", name);
  if (kind == "enumeration") {
    if (type.at("values").empty()) return std::nullopt;
    return fmt::format("morph::one_of({{{}}})", fmt::join(type["values"].get<std::vector<std::string>>(), ", "));
  }
  if (kind == "record") {
    if (!type.at("aggregate") || type.at("fields").empty()) return std::nullopt;
    const auto parts = joined_generators(type["fields"]);
    return parts ? text(fmt::format("morph::made_of<{}>({})", spelled(type), *parts)) : std::nullopt;
  }
  const json uses = type.value("of", json::array());
  if (uses.empty()) return std::nullopt;
  if (kind == "sequence" || kind == "set") {
    const auto held = generator(uses[0]);
    if (!held) return std::nullopt;
    const std::string of_kind = this->kind(uses[0]);
    const bool is_plain = type.value("std", "") == "vector" &&
                          (of_kind == "integer" || of_kind == "string" || uses[0].at("type") == "double");
    return is_plain ? fmt::format("morph::vectors(9, {})", *held)
                    : fmt::format("morph::containers<{}>(9, {})", name, *held);
  }
  if (kind == "map") {
    const auto parts = joined_generators(uses);
    if (!parts) return std::nullopt;
    return fmt::format("morph::containers<{}>(9, morph::made_of<std::pair<{}, {}>>({}))", name,
                       uses[0].at("spelled").get<std::string>(), uses[1].at("spelled").get<std::string>(), *parts);
  }
  if (kind == "optional") {
    const auto held = generator(uses[0]);
    if (!held) return std::nullopt;
    return fmt::format(
        "morph::either(morph::one_of<{0}>({{std::nullopt}}), morph::mapped({1}, [](const {2}& value) {{ "
        "return {0}(value); }}))",
        name, *held, uses[0].at("spelled").get<std::string>());
  }
  if (kind == "variant") {
    std::vector<std::string> parts;
    for (const json& each : uses) {
      const auto held = generator(each);
      if (!held) return std::nullopt;
      parts.push_back(
          fmt::format("morph::mapped({}, [](const {}& value) {{ return {}(std::in_place_index<{}>, value); }})", *held,
                      each.at("spelled").get<std::string>(), name, parts.size()));
    }
    return fmt::format("morph::either({})", fmt::join(parts, ", "));
  }
  if (kind == "tuple") {
    const auto parts = joined_generators(uses);
    return parts ? text(fmt::format("morph::made_of<{}>({})", name, *parts)) : std::nullopt;
  }
  return std::nullopt;
}

std::string hooks_to_write(const json& type) {
  if (!type.value("complete", false)) return "take a header that defines it";
  const std::string space = type.value("namespace", ""), name = type.value("name", spelled(type));
  std::string members;
  for (const json& field : type.value("fields", json::array())) {
    if (field.at("passed") != "value") {
      members.clear();
      break;
    }
    members += fmt::format("{}{}", members.empty() ? "" : ", ", field.at("spelled").get<std::string>());
  }
  if (members.empty()) members = "/* its parts */";
  return fmt::format(
      "write what makes it a text and takes it back, {}:\n"
      "  std::tuple<{}> morph_save(const {}& value);\n"
      "  void morph_load({}& value, const std::tuple<{}>& saved);",
      space.empty() ? "beside it" : "in its namespace '" + space + "'", members, name, name, members);
}

}  // namespace morph::authoring
