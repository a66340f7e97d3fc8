// From what was collected to a page, and to files beside it where it would be too long.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plugin/offline/collect.hpp"

namespace morph::offline {

struct named_text {
  std::string name{};
  std::string text{};
};

struct assembled {
  std::string page{};
  std::vector<named_text> parts{};  // scripts that belong beside it
};

struct about {
  std::string version{}, repository{}, build{};
  std::string at{};                         // 2026-01-31T12:00:00Z
  std::vector<std::string> screens{};       // the names of those that the page has; empty: all
  std::string stem{"report"};               // parts are named STEM.1.js
  std::size_t longest = std::string::npos;  // bytes of a page without parts
};

/// Bytes that are no UTF-8 become U+FFFD. In parts stand all sources and each document that is not short.
assembled assemble(const collected& what, const about& of);

}  // namespace morph::offline
