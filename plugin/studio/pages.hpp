// The files of templates/studio, embedded.
#pragma once

#include <span>
#include <string_view>

namespace morph::studio {

struct page {
  std::string_view name;  // relative to that folder
  std::string_view text;
};

std::span<const page> pages();
/// Nullptr: there is none.
const page* find_page(std::string_view name);
/// By the end of its name.
std::string_view mime_type(std::string_view name);

}  // namespace morph::studio
