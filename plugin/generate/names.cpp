// Naming variables.
#include "plugin/generate/names.hpp"

#include <cctype>
#include <set>

namespace morph::generate {
namespace {

bool starts_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace

std::string variable_name(const std::string& type) {
  std::string last = type.substr(0, type.find('<'));
  if (const auto at = last.rfind("::"); at != std::string::npos) last = last.substr(at + 2);
  std::size_t begin = last.size();
  while (begin > 0 && !(std::isupper(static_cast<unsigned char>(last[begin - 1])) != 0)) --begin;
  std::string word = begin > 0 ? last.substr(begin - 1) : last;
  if (const auto at = word.rfind('_'); at != std::string::npos && at + 1 < word.size()) word = word.substr(at + 1);
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  static const std::set<std::string> reserved{
      "alignas",  "alignof", "and",     "asm",      "auto",    "bool",     "break",     "case",      "catch",
      "char",     "class",   "compl",   "concept",  "const",   "continue", "default",   "delete",    "do",
      "double",   "else",    "enum",    "explicit", "export",  "extern",   "false",     "float",     "for",
      "friend",   "goto",    "if",      "inline",   "int",     "long",     "mutable",   "namespace", "new",
      "noexcept", "not",     "nullptr", "operator", "or",      "private",  "protected", "public",    "register",
      "requires", "return",  "short",   "signed",   "sizeof",  "static",   "struct",    "switch",    "template",
      "this",     "throw",   "true",    "try",      "typedef", "typeid",   "typename",  "union",     "unsigned",
      "using",    "virtual", "void",    "volatile", "while",   "xor"};
  if (word.empty() || !starts_name(word[0]) || reserved.contains(word)) return "value";
  return word;
}

const char* declaration(const returned& of) {
  switch (of.how) {
    case returned::kind::object:
      return "auto ";
    case returned::kind::pointer:
      return of.is_constant ? "const auto* " : "auto* ";
    case returned::kind::holder:
      return of.by_reference ? "auto& " : "auto ";
    default:
      return of.is_constant ? "const auto& " : "auto& ";
  }
}

}  // namespace morph::generate
