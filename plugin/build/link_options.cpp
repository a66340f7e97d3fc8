// Options of GNU ld, gold and lld, however they are passed on to them.
#include "plugin/build/link_options.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace morph::build {
namespace {

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(at), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// Of an expression: all that is no number.
std::vector<std::string> names_in(std::string_view expression) {
  const auto in_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$';
  };
  std::vector<std::string> names;
  for (std::size_t at = 0; at < expression.size();) {
    std::size_t end = at;
    while (end < expression.size() && in_name(expression[end])) ++end;
    if (end > at && std::isdigit(static_cast<unsigned char>(expression[at])) == 0)
      names.emplace_back(expression.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

void define(std::string_view definition, link_symbols& to) {
  const std::size_t equals = definition.find('=');
  if (equals == std::string_view::npos) return;
  for (std::string& name : names_in(definition.substr(equals + 1))) {
    to.aliases.emplace_back(definition.substr(0, equals), name);
    to.wanted.push_back(std::move(name));
  }
}

void wrap(std::string_view name, link_symbols& to) {
  to.wanted.push_back("__wrap_" + std::string(name));
  to.wanted.emplace_back(name);
  to.aliases.emplace_back("__real_" + std::string(name), name);
}

}  // namespace

std::vector<std::string_view> linker_words(std::string_view word) {
  return word.starts_with("-Wl,") ? split(word.substr(4), ',') : std::vector{word};
}

link_symbols symbols_of(std::string_view options) {
  static constexpr std::array<std::string_view, 3> wanting{"u", "undefined", "require-defined"};
  std::vector<std::string_view> words;
  for (const std::string_view word : split(options, ' '))
    for (const std::string_view part : linker_words(word))
      if (part != "-Xlinker") words.push_back(part);
  link_symbols found;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string_view word = words[i];
    if (!word.starts_with('-')) continue;
    word.remove_prefix(word.starts_with("--") ? 2 : 1);
    const std::size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    const auto value = [&] {
      if (equals != std::string_view::npos) return word.substr(equals + 1);
      return i + 1 < words.size() ? words[++i] : std::string_view();
    };
    if (name == "rdynamic" || name == "E" || name.starts_with("export-dynamic") || name == "dynamic-list")
      found.exports = true;
    if (name == "defsym")
      define(value(), found);
    else if (name == "wrap")
      wrap(value(), found);
    else if (std::find(wanting.begin(), wanting.end(), name) != wanting.end())
      found.wanted.emplace_back(value());
    else if (name == "e" || name == "entry" || name == "init" || name == "fini")
      found.roots.emplace_back(value());
    else if (words[i].starts_with("-u") && equals == std::string_view::npos)
      found.wanted.emplace_back(word.substr(1));
  }
  return found;
}

}  // namespace morph::build
