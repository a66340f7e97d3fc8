// Reading `#line` directives out of the text of a source.
#include "plugin/build/line_directives.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "plugin/build/cxx_tokens.hpp"

namespace morph::build {
namespace {

/// Whether there is anything to look for: few texts have directives, and tokens take their time.
bool may_have_directives(std::string_view text) {
  for (std::size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1)) {
    const auto next = text.find_first_not_of(" \t", at + 1);
    if (next == std::string_view::npos) return false;
    const std::string_view rest = text.substr(next);
    if (rest.starts_with("line") || (rest.front() >= '0' && rest.front() <= '9')) return true;
  }
  return false;
}

std::string unquoted(std::string_view literal) {
  std::string name;
  for (std::size_t i = 1; i + 1 < literal.size(); ++i) {
    if (literal[i] == '\\' && i + 2 < literal.size()) ++i;
    name += literal[i];
  }
  return name;
}

std::optional<std::uint32_t> number_in(std::string_view word) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

}  // namespace

std::uint32_t number_of_lines(std::string_view text) {
  const auto ends = std::count(text.begin(), text.end(), '\n');
  return static_cast<std::uint32_t>(ends) + (text.empty() || text.ends_with('\n') ? 0 : 1);
}

std::vector<directed_lines> directed_lines_of(std::string_view text) {
  std::vector<directed_lines> found;
  if (!may_have_directives(text)) return found;
  const std::vector<cxx_token> tokens = cxx_tokens(text);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::uint32_t line = tokens[i].line;
    if (tokens[i].text != "#" || (i > 0 && tokens[i - 1].last_line == line)) continue;
    std::size_t at = i + 1;
    const auto is_here = [&] { return at < tokens.size() && tokens[at].line == line; };
    if (is_here() && tokens[at].text == "line") ++at;
    const auto named = is_here() ? number_in(tokens[at].text) : std::nullopt;
    if (!named) continue;
    ++at;
    std::string file = found.empty() ? std::string() : found.back().file;
    if (is_here() && tokens[at].text.starts_with('"')) file = unquoted(tokens[at].text);
    if (!found.empty()) found.back().last = line - 1;
    found.push_back({line + 1, 0, std::move(file), *named});
  }
  if (!found.empty()) found.back().last = number_of_lines(text);
  std::erase_if(found, [](const directed_lines& run) { return run.first > run.last; });
  return found;
}

}  // namespace morph::build
