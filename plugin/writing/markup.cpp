// Escapes, and marks in templates.
#include "plugin/writing/markup.hpp"

#include <algorithm>

namespace morph::writing {
namespace {

std::string mark_of(std::string_view name) {
  return "@" + std::string(name) + "@";
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string made;
  for (const char c : text) {
    const bool is_control = static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
    switch (c) {
      case '<':
        made += "&lt;";
        break;
      case '>':
        made += "&gt;";
        break;
      case '&':
        made += "&amp;";
        break;
      case '"':
        made += "&quot;";
        break;
      default:
        made += is_control ? ' ' : c;
    }
  }
  return made;
}

std::string filled(std::string_view page, const std::vector<std::pair<std::string_view, std::string_view>>& values) {
  struct place {
    std::size_t at, size;
    std::string_view value;
  };
  std::vector<place> places;
  for (const auto& [name, value] : values) {
    const std::string mark = mark_of(name);
    if (const std::size_t at = page.find(mark); at != page.npos) places.push_back({at, mark.size(), value});
  }
  std::sort(places.begin(), places.end(), [](const place& a, const place& b) { return a.at < b.at; });
  std::string made;
  std::size_t from = 0;
  for (const place& each : places) {
    made += page.substr(from, each.at - from);
    made += each.value;
    from = each.at + each.size;
  }
  return made.append(page.substr(from));
}

}  // namespace morph::writing
