// From reStructuredText to Markdown.
#include "plugin/setup/manual.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

namespace morph::setup {
namespace {

std::string_view manual(std::string_view module) {
  constexpr std::string_view opening =
      "#[=======================================================================[.rst:\n";
  const auto start = module.find(opening);
  const auto end = module.find("#]=======", start);
  if (start == std::string_view::npos || end == std::string_view::npos) return {};
  return module.substr(start + opening.size(), end - start - opening.size());
}

std::size_t indentation(const std::string& line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

}  // namespace

std::string manual_as_markdown(std::string_view module) {
  std::vector<std::string> lines;
  std::istringstream in{std::string(manual(module))};
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  const auto at = [&](std::size_t i) { return i < lines.size() ? lines[i] : std::string(); };

  std::string text;
  std::size_t skipped_indentation = 0;  // of the directive that we are in
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string line = lines[i];
    const std::string next = at(i + 1);
    if (!next.empty() && next.size() >= line.size() && !line.empty() &&
        (next.find_first_not_of('-') == std::string::npos || next.find_first_not_of('^') == std::string::npos)) {
      if (next[0] == '^') text += "### " + line + "\n";
      ++i;
      skipped_indentation = 0;
      continue;
    }
    if (line.starts_with(".. command:: ")) {
      text += "### " + line.substr(13) + "()\n";
      skipped_indentation = 2;
      continue;
    }
    const std::string trimmed = line.substr(indentation(line));
    const bool is_directive = trimmed.starts_with("..");
    if (trimmed.starts_with(".. code-block::") || (line.ends_with("::") && !is_directive)) {
      std::string before = is_directive ? std::string() : trimmed;
      before = before == "::" ? std::string() : before.substr(0, before.empty() ? 0 : before.size() - 1);
      if (!before.empty()) text += before + "\n\n";
      text += is_directive ? "```cmake\n" : "```\n";
      const std::size_t outer = indentation(line);
      while (at(i + 1).empty() && i + 1 < lines.size()) ++i;
      const std::size_t inner = indentation(at(i + 1));
      std::string block;
      while (i + 1 < lines.size() && (at(i + 1).empty() || indentation(at(i + 1)) > outer)) {
        ++i;
        block += lines[i].substr(std::min(inner, lines[i].size())) + "\n";
      }
      while (block.ends_with("\n\n")) block.pop_back();
      text += block + "```\n\n";
      continue;
    }
    if (!line.empty() && indentation(line) < skipped_indentation) skipped_indentation = 0;
    std::string plain = line.substr(std::min(skipped_indentation, line.size()));
    const std::size_t depth = indentation(plain);
    const bool is_term =
        trimmed.starts_with("``") && next.size() > indentation(next) && indentation(next) > indentation(line);
    for (std::size_t tick; (tick = plain.find("``")) != std::string::npos;) plain.replace(tick, 2, "`");
    if (is_term)
      text += plain.substr(0, depth) + "- " + plain.substr(depth) + "\n";
    else
      text += plain + "\n";
  }
  return text;
}

}  // namespace morph::setup
