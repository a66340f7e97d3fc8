// Looking them up.
#include "plugin/studio/pages.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace morph::studio {

const page* find_page(std::string_view name) {
  const auto all = pages();
  const auto found = std::ranges::find(all, name, &page::name);
  return found == all.end() ? nullptr : &*found;
}

std::string_view mime_type(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> types{
      {{".html", "text/html; charset=utf-8"},
       {".js", "text/javascript; charset=utf-8"},
       {".css", "text/css; charset=utf-8"},
       {".svg", "image/svg+xml"},
       {".json", "application/json"},
       {".txt", "text/plain; charset=utf-8"}}};
  for (const auto& [end, type] : types)
    if (name.ends_with(end)) return type;
  return "text/plain; charset=utf-8";
}

}  // namespace morph::studio
