// The kinds of the standard library's types.
#include <clang/AST/DeclTemplate.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "coverage/source/describe/types.hpp"

namespace morph::source {
namespace {

using nlohmann::json;

struct known_template {
  std::string_view name;
  const char* kind;
  unsigned arguments;  // that are types of what it holds
};

/// Those that do both are for input: what they write, a caller need not read.
constexpr std::array input_streams{"basic_istream", "basic_iostream",      "basic_ifstream",
                                   "basic_fstream", "basic_istringstream", "basic_stringstream"};
constexpr std::array output_streams{"basic_ostream", "basic_ofstream", "basic_ostringstream"};
constexpr std::array known_templates{known_template{"vector", "sequence", 1},
                                     known_template{"deque", "sequence", 1},
                                     known_template{"list", "sequence", 1},
                                     known_template{"set", "set", 1},
                                     known_template{"multiset", "set", 1},
                                     known_template{"unordered_set", "set", 1},
                                     known_template{"unordered_multiset", "set", 1},
                                     known_template{"map", "map", 2},
                                     known_template{"multimap", "map", 2},
                                     known_template{"unordered_map", "map", 2},
                                     known_template{"unordered_multimap", "map", 2},
                                     known_template{"array", "array", 1},
                                     known_template{"optional", "optional", 1},
                                     known_template{"variant", "variant", 64},
                                     known_template{"pair", "tuple", 2},
                                     known_template{"tuple", "tuple", 64},
                                     known_template{"span", "span", 1},
                                     known_template{"initializer_list", "initializer_list", 1},
                                     known_template{"unique_ptr", "owner", 1},
                                     known_template{"shared_ptr", "owner", 1}};

bool is_std(const clang::Decl& of) {
  for (const clang::DeclContext* at = of.getDeclContext(); at != nullptr; at = at->getParent())
    if (at->isStdNamespace()) return true;
  return false;
}

/// Those of a parameter pack one by one.
std::vector<clang::QualType> type_arguments(const clang::ClassTemplateSpecializationDecl& of) {
  std::vector<clang::QualType> types;
  for (const clang::TemplateArgument& argument : of.getTemplateArgs().asArray()) {
    if (argument.getKind() == clang::TemplateArgument::Type) types.push_back(argument.getAsType());
    if (argument.getKind() != clang::TemplateArgument::Pack) continue;
    for (const clang::TemplateArgument& each : argument.pack_elements())
      if (each.getKind() == clang::TemplateArgument::Type) types.push_back(each.getAsType());
  }
  return types;
}

}  // namespace

bool type_table::add_of_standard_library(const clang::CXXRecordDecl& record, json& to) {
  if (!is_std(record)) return false;
  const std::string name = record.getNameAsString();
  if (name == "path") return to["kind"] = "path", true;
  const auto* const instance = clang::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record);
  if (instance == nullptr) return false;
  const auto arguments = type_arguments(*instance);
  if (arguments.empty()) return false;
  to["std"] = name;
  if (name == "basic_string" || name == "basic_string_view") {
    const bool is_char = arguments[0]->isSpecificBuiltinType(clang::BuiltinType::Char_S) ||
                         arguments[0]->isSpecificBuiltinType(clang::BuiltinType::Char_U);
    to["kind"] = name == "basic_string_view" ? (is_char ? "string_view" : "other") : is_char ? "string" : "sequence";
    to["of"] = json::array({use_of(arguments[0])});
    if (is_char) to["spelled"] = name == "basic_string" ? "std::string" : "std::string_view";
    return true;
  }
  const bool is_input = std::ranges::find(input_streams, name) != input_streams.end();
  if (is_input || std::ranges::find(output_streams, name) != output_streams.end()) {
    to["kind"] = is_input ? "istream" : "ostream";
    to["of"] = json::array({use_of(arguments[0])});
    return true;
  }
  if (const auto* const function = arguments[0]->getAs<clang::FunctionProtoType>(); function && name == "function") {
    to["kind"] = "function";
    add_function(*function, to);
    return true;
  }
  for (const known_template& known : known_templates) {
    if (known.name != name) continue;
    to["kind"] = known.kind;
    to["of"] = json::array();
    for (const clang::QualType argument : arguments)
      if (to["of"].size() < known.arguments) to["of"].push_back(use_of(argument));
    for (const clang::TemplateArgument& argument : instance->getTemplateArgs().asArray())
      if (argument.getKind() == clang::TemplateArgument::Integral) to["size"] = argument.getAsIntegral().getExtValue();
    return true;
  }
  return false;
}

}  // namespace morph::source
