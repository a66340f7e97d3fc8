// Back quotes and escapes.
#include "plugin/report/markdown.hpp"

#include <algorithm>

#include "plugin/report/mutation.hpp"

namespace morph::report {

std::string as_code(std::string_view text) {
  const std::string line = on_one_line(text);
  if (line.empty()) return {};
  std::size_t longest = 0, run = 0;
  for (const char c : line) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  const std::string pad = longest > 0 ? " " : "";
  return fence + pad + line + pad + fence;
}

std::string as_sentence(std::string_view text) {
  constexpr std::string_view marks = "\\<*_[]~|&";
  const std::string line = on_one_line(text);
  const auto quotes = std::ranges::count(line, '`');
  const auto paired = quotes - quotes % 2;
  std::string made;
  std::ptrdiff_t seen = 0;
  for (const char c : line) {
    const bool is_code = seen % 2 == 1 && seen < paired;
    if (c == '`') ++seen;
    if (seen > paired && c == '`')
      made += '\\';
    else if (!is_code && marks.find(c) != marks.npos)
      made += '\\';
    made += c;
  }
  return made;
}

std::string shortened(std::string_view text, std::size_t most) {
  std::string line = on_one_line(text);
  if (line.size() <= most) return line;
  std::size_t end = most;
  const auto continues = [&](std::size_t at) { return (static_cast<unsigned char>(line[at]) & 0xc0U) == 0x80U; };
  while (end > 0 && continues(end)) --end;
  line.resize(end);
  return line + "...";
}

}  // namespace morph::report
