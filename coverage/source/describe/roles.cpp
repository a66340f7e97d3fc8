// Rules of the roles.
#include "coverage/source/describe/roles.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace morph::source {
namespace {

using nlohmann::json;

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_letter_or_digit(char c) {
  return is_upper(c) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/// In lower case: `newLRUCache`, `new_lru_cache` -> new, lru, cache.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  bool is_new = true;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!is_letter_or_digit(c)) {
      is_new = true;
      continue;
    }
    const bool is_start =
        is_upper(c) && i > 0 && (!is_upper(name[i - 1]) || (i + 1 < name.size() && name[i + 1] >= 'a'));
    if (is_new || is_start) words.emplace_back();
    is_new = false;
    words.back() += is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return words;
}

bool says_length(std::string_view name) {
  return std::ranges::any_of(words_of(name), [](std::string_view word) {
    return is_one_of(word, {"n", "num", "sz", "cnt", "nbytes"}) || word.find("size") != word.npos ||
           word.find("count") != word.npos || word.starts_with("len") || word.ends_with("len");
  });
}

bool says_argument_count(std::string_view name) {
  return is_one_of(name, {"argc", "argn", "ac"});
}

bool says_made(std::string_view function) {
  return std::ranges::any_of(words_of(function), [](std::string_view word) {
    return is_one_of(word, {"create", "new", "make", "clone", "open", "alloc", "allocate"});
  });
}

bool is_scalar(std::string_view kind) {
  return is_one_of(kind, {"bool", "character", "wide_character", "integer", "floating", "enumeration"});
}

/// A variable of the type can be declared without a value.
bool has_default(const json& type) {
  const std::string kind = type.at("kind");
  if (kind != "record") return !is_one_of(kind, {"other", "raw_pointer", "void", "istream", "ostream", "FILE"});
  return type.value("default", false) && !type.value("abstract", false) && !type.value("polymorphic", false);
}

const char* role_of_pointer(const json& use, const json& type) {
  const std::string kind = type.at("kind"), passed = use.at("passed");
  if (kind == "FILE") return "file";
  if (kind == "void") return "any";
  if (kind == "function" || kind == "function_pointer") return "callback";
  if (kind == "istream" || kind == "ostream") return "stream";
  if (passed.starts_with("const_")) return "in";
  return has_default(type) ? "out" : "in_out";
}

const char* role_of(const json& use, const json& types) {
  const json& type = types.at(use.at("type").get<std::string>());
  const std::string passed = use.at("passed");
  if (passed.ends_with("_to_pointer")) return use.at("constant") ? "in" : "out";
  if (passed == "move") return "sink";
  if (passed != "value") return role_of_pointer(use, type);
  const std::string kind = type.at("kind");
  if (kind == "function" || kind == "function_pointer") return "callback";
  return kind == "owner" && type.value("std", "") == "unique_ptr" ? "sink" : "in";
}

bool is_integer(const json& use, const json& types) {
  return use.at("passed") == "value" && types.at(use.at("type").get<std::string>()).at("kind") == "integer";
}

bool can_be_counted(const json& use, const json& types) {
  const std::string passed = use.at("passed");
  if (passed == "pointer_to_pointer") return true;
  if (passed != "pointer" && passed != "const_pointer") return false;
  const json& type = types.at(use.at("type").get<std::string>());
  const std::string kind = type.at("kind");
  return is_scalar(kind) || kind == "void" || kind == "string" ||
         (kind == "record" && passed == "const_pointer" && has_default(type) && type.value("copyable", false));
}

void tie(json& parameters, std::size_t pointer, std::size_t length) {
  json& of = parameters[pointer];
  of["length"] = length;
  if (of["role"] == "in" || of.at("passed") == "pointer_to_pointer") of["role"] = "array";
  parameters[length]["role"] = "length";
  parameters[length]["of"] = pointer;
}

}  // namespace

void add_roles(json& parameters, const json& types) {
  for (json& each : parameters) {
    each["role"] = role_of(each, types);
    if (each["role"] == "stream")
      each["direction"] = types.at(each.at("type").get<std::string>()).at("kind") == "ostream" ? "out" : "in";
  }
  for (std::size_t i = 0; i + 1 < parameters.size(); ++i) {
    const std::string name = parameters[i].at("name"), next = parameters[i + 1].at("name");
    const bool is_text_list = parameters[i + 1].at("passed") == "pointer_to_pointer";
    if (is_text_list && is_integer(parameters[i], types) && says_argument_count(name))
      tie(parameters, i + 1, i);
    else if (can_be_counted(parameters[i], types) && is_integer(parameters[i + 1], types) && says_length(next) &&
             !parameters[i].contains("length"))
      tie(parameters, i, i + 1);
  }
}

const char* ownership_of(const json& result, const std::string& function, bool can_be_deleted, const json& types) {
  const json& type = types.at(result.at("type").get<std::string>());
  const std::string passed = result.at("passed"), kind = type.at("kind");
  if (passed == "pointer" && says_made(function)) return can_be_deleted ? "owned" : "made";
  if (passed == "pointer") return "tied";
  if (passed != "value") return "tied";
  if (kind == "void") return "none";
  if (kind == "owner") return "owned";
  return is_one_of(kind, {"string_view", "span", "raw_pointer", "initializer_list"}) ? "tied" : "value";
}

}  // namespace morph::source
