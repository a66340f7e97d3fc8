// Suggestions by type, and their code.
#include "plugin/authoring/datamorphisms.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <string_view>

namespace morph::authoring {
namespace {

using nlohmann::json;

constexpr unsigned deepest = 3;

constexpr std::array keywords{
    "alignas",   "alignof",   "and",          "asm",           "auto",        "bool",     "break",    "case",
    "catch",     "char",      "class",        "co_await",      "co_return",   "co_yield", "concept",  "const",
    "consteval", "constexpr", "constinit",    "const_cast",    "continue",    "decltype", "default",  "delete",
    "do",        "double",    "dynamic_cast", "else",          "enum",        "explicit", "export",   "extern",
    "false",     "float",     "for",          "friend",        "goto",        "if",       "inline",   "int",
    "long",      "mutable",   "namespace",    "new",           "noexcept",    "not",      "nullptr",  "operator",
    "or",        "private",   "protected",    "public",        "register",    "requires", "return",   "short",
    "signed",    "sizeof",    "static",       "static_assert", "static_cast", "struct",   "switch",   "template",
    "this",      "throw",     "true",         "try",           "typedef",     "typeid",   "typename", "union",
    "unsigned",  "using",     "virtual",      "void",          "volatile",    "wchar_t",  "while",    "xor"};

/// A place in an input.
struct slot {
  std::string path;  // after "in": "", ".left", ".from.x"
  const json* use;

  std::string named() const { return path.empty() ? "" : " " + path.substr(1); }
  std::string at() const { return "in" + path; }
};

class proposer {
 public:
  explicit proposer(const described_types& types) : types_(types) {}

  /// All that are about one slot are a list.
  std::vector<std::vector<proposed_datamorphism>> lists;

  void add_slot(const slot& of, unsigned depth) {
    const json& type = types_.of(*of.use);
    const std::string kind = type.at("kind");
    if (kind == "record") {
      if (!type.value("aggregate", false) || type.contains("hooks") || !type.at("bases").empty()) return;
      add_members(type.at("fields"), of.path, depth);
      return;
    }
    lists.emplace_back();
    if (kind == "integer" || kind == "floating") add_number(of, type);
    if (kind == "bool") add("flip", of, {fmt::format("{0} = !{0};", of.at())});
    if (kind == "enumeration") add_enumeration(of, type);
    if (kind == "character")
      add("change the case of", of,
          {fmt::format("const auto c = static_cast<unsigned char>({});", of.at()),
           fmt::format("{} = static_cast<char>(std::isupper(c) != 0 ? std::tolower(c) : std::toupper(c));", of.at())});
    if (kind == "string") add_string(of);
    if (kind == "sequence") add_sequence(of, type);
    if (kind == "set" || kind == "map") add_keyed(of, type);
    if (kind == "array" || kind == "c_array") add_array(of, type);
    if (kind == "optional") add("leave out", of, {fmt::format("{}.reset();", of.at())});
    if (kind == "path") add("go one deeper in", of, {fmt::format("{} /= \"x\";", of.at())});
    if (kind == "tuple") add_tuple(of, type);
  }

  void add_members(const json& fields, const std::string& path, unsigned depth) {
    add_swaps(fields, path);
    if (depth >= deepest) return;
    for (const json& field : fields) add_slot({path + "." + field.at("name").get<std::string>(), &field}, depth + 1);
  }

 private:
  void add(const std::string& what, const slot& of, std::vector<std::string> body, bool may_not_apply = false) {
    lists.back().push_back({what + of.named(), "", std::move(body), may_not_apply});
  }

  void add_swaps(const json& fields, const std::string& path) {
    std::map<std::string, std::vector<std::string>> by_type;
    for (const json& field : fields)
      if (types_.kind(field) != "c_array") by_type[field.at("type")].push_back(field.at("name"));
    lists.emplace_back();
    const std::string prefix = path.empty() ? "" : path.substr(1) + ".";
    const auto add_swap = [&](const std::string& a, const std::string& b) {
      lists.back().push_back({fmt::format("swap {0}{1} and {0}{2}", prefix, a, b),
                              "",
                              {fmt::format("std::swap(in{0}.{1}, in{0}.{2});", path, a, b)}});
    };
    for (const json& field : fields) {  // in the order of declaration
      const auto& equal = by_type[field.at("type").get<std::string>()];
      if (equal.empty() || equal.front() != field.at("name").get_ref<const std::string&>()) continue;
      for (std::size_t i = 0; i < equal.size(); ++i)
        for (std::size_t j = i + 1; j < equal.size(); ++j)
          if (equal.size() <= 3 || j == i + 1) add_swap(equal[i], equal[j]);
    }
  }

  static std::string limits(const std::string& type, const char* which) {
    return fmt::format("std::numeric_limits<{}>::{}()", type, which);
  }

  void add_number(const slot& of, const json& type) {
    const std::string at = of.at(), name = of.use->at("spelled");
    if (type.at("kind") == "floating") {
      add("negate", of, {fmt::format("{0} = -{0};", at)});
      add("double", of, {fmt::format("{} *= 2;", at)});
      return;
    }
    const bool is_signed = type.at("signed"), is_small = type.at("bits").get<int>() < 32;
    const auto cast = [&](const std::string& value) {
      return is_small ? fmt::format("static_cast<{}>({})", name, value) : value;
    };
    const std::string stop = "return std::nullopt;  // it would overflow";
    if (is_signed)
      add("negate", of,
          {fmt::format("if ({} == {}) {}", at, limits(name, "min"), stop), fmt::format("{} = {};", at, cast("-" + at))},
          true);
    add("add 1 to", of, {fmt::format("if ({} == {}) {}", at, limits(name, "max"), stop), fmt::format("++{};", at)},
        true);
    add("double", of,
        {fmt::format("if ({0} > {1} / 2{2}) {3}", at, limits(name, "max"),
                     is_signed ? fmt::format(" || {} < {} / 2", at, limits(name, "min")) : "", stop),
         fmt::format("{} = {};", at, cast(at + " * 2"))},
        true);
  }

  void add_enumeration(const slot& of, const json& type) {
    const auto values = type.at("values").get<std::vector<std::string>>();
    if (values.size() < 2) return;
    add("take the next", of,
        {fmt::format("constexpr {} all[] = {{{}}};", of.use->at("spelled").get<std::string>(), fmt::join(values, ", ")),
         fmt::format("const auto* const found = std::find(std::begin(all), std::end(all), {});", of.at()),
         fmt::format("{} = found == std::end(all) || found + 1 == std::end(all) ? all[0] : found[1];", of.at())});
  }

  void add_string(const slot& of) {
    const std::string at = of.at();
    add("upper case of", of,
        {fmt::format("for (char& c : {}) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));", at)});
    add("append a space to", of, {fmt::format("{} += ' ';", at)});
    add("reverse", of, {fmt::format("std::reverse({0}.begin(), {0}.end());", at)});
    add("repeat", of, {fmt::format("{0} += std::string({0});", at)});
  }

  void add_sequence(const slot& of, const json& type) {
    const std::string at = of.at();
    const json& held = type.at("of")[0];
    add("reverse", of, {fmt::format("std::reverse({0}.begin(), {0}.end());", at)});
    if (const auto value = types_.example(held, 1))
      add("append to", of, {fmt::format("{}.push_back({});", at, *value)});
    add("rotate", of,
        {fmt::format("if (!{0}.empty()) std::rotate({0}.begin(), std::next({0}.begin()), {0}.end());", at)});
    add_of_each(of, held);
    add("drop the last of", of,
        {fmt::format("if ({}.empty()) return std::nullopt;", at), fmt::format("{}.pop_back();", at)}, true);
  }

  void add_of_each(const slot& of, const json& held) {
    const json& type = types_.of(held);
    if (type.at("kind") == "floating") {
      add("double each of", of, {fmt::format("for (auto& each : {}) each *= 2;", of.at())});
    } else if (type.at("kind") == "integer" && type.at("signed") && type.at("bits").get<int>() >= 32) {
      add("negate each of", of,
          {fmt::format("for (auto& each : {}) {{", of.at()),
           fmt::format("  if (each == {}) return std::nullopt;  // it would overflow",
                       limits(held.at("spelled").get<std::string>(), "min")),
           "  each = -each;", "}"},
          true);
    }
  }

  void add_keyed(const slot& of, const json& type) {
    const std::string at = of.at();
    std::vector<std::string> values;
    for (const json& each : type.at("of"))
      if (auto value = types_.example(each, 4)) values.push_back(std::move(*value));
    const bool is_map = type.at("kind") == "map";
    if (values.size() == (is_map ? 2U : 1U))
      add("add to", of, {fmt::format("{}.{}({});", at, is_map ? "emplace" : "insert", fmt::join(values, ", "))});
    add("drop one of", of,
        {fmt::format("if ({}.empty()) return std::nullopt;", at), fmt::format("{0}.erase({0}.begin());", at)}, true);
  }

  void add_array(const slot& of, const json& type) {
    if (type.at("size").get<std::size_t>() < 2 || types_.kind(type.at("of")[0]) == "character") return;
    add("reverse", of, {fmt::format("std::reverse(std::begin({0}), std::end({0}));", of.at())});
    add("rotate", of,
        {fmt::format("std::rotate(std::begin({0}), std::next(std::begin({0})), std::end({0}));", of.at())});
  }

  void add_tuple(const slot& of, const json& type) {
    const json& held = type.at("of");
    for (std::size_t i = 0; i < held.size(); ++i)
      for (std::size_t j = i + 1; j < held.size(); ++j)
        if (held[i].at("type") == held[j].at("type"))
          add(fmt::format("swap {} and {} of", i, j), of,
              {fmt::format("std::swap(std::get<{1}>({0}), std::get<{2}>({0}));", of.at(), i, j)});
    if (held.size() == 2)
      for (const char* member : {"first", "second"})
        if (type.value("std", "") == "pair")
          add_slot({of.path + "." + member, &held[std::string_view(member) == "first" ? 0 : 1]}, deepest);
  }

  const described_types& types_;
};

}  // namespace

bool is_identifier(const std::string& text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0])) != 0 || text[0] == '_') return false;
  for (const char c : text)
    if (c != '_' && (static_cast<unsigned char>(c) > 127 || std::isalnum(static_cast<unsigned char>(c)) == 0))
      return false;
  return text.find("__") == std::string::npos &&
         std::find(keywords.begin(), keywords.end(), std::string_view(text)) == keywords.end();
}

std::string as_identifier(const std::string& text) {
  std::string made;
  for (const char c : text) {
    const bool is_letter = static_cast<unsigned char>(c) < 128 && std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (is_letter)
      made += c;
    else if (!made.empty() && made.back() != '_')
      made += '_';
  }
  while (made.ends_with('_')) made.pop_back();
  if (made.empty() || std::isdigit(static_cast<unsigned char>(made[0])) != 0)
    made = "spec" + (made.empty() ? "" : "_" + made);
  if (!is_identifier(made)) made += "_it";
  return made;
}

std::vector<proposed_datamorphism> propose_datamorphisms(const described_types& types, const json& fields,
                                                         std::size_t most, std::size_t& left_out) {
  proposer all(types);
  if (fields.size() == 1 && fields[0].value("name", "").empty())
    all.add_slot({"", &fields[0]}, 0);
  else
    all.add_members(fields, "", 0);
  std::vector<proposed_datamorphism> chosen;
  std::size_t number = 0, longest = 0;
  for (auto& list : all.lists) {
    number += list.size();
    longest = std::max(longest, list.size());
  }
  for (std::size_t round = 0; round < longest; ++round)
    for (auto& list : all.lists)
      if (round < list.size() && chosen.size() < most) chosen.push_back(std::move(list[round]));
  left_out = number - chosen.size();
  std::set<std::string> used;
  for (auto& each : chosen) {
    for (const char* end : {" of", " to", " in"})  // of the input itself
      if (each.name.ends_with(end)) each.name.resize(each.name.size() - 3);
    each.variable = as_identifier(each.name);
    while (!used.insert(each.variable).second) each.variable += "_too";
  }
  return chosen;
}

}  // namespace morph::authoring
