// Names: kept once, without compilers' suffixes, and as people wrote them.
#include "coverage/object/read/object_print.hpp"

#include <llvm/Demangle/Demangle.h>

#include <algorithm>
#include <array>

namespace morph::object {

std::uint32_t name_pool::add(std::string_view name) {
  const auto [number, is_new] = numbers_.add(name, size(), [&](std::uint32_t n) { return (*this)[n]; });
  if (is_new) {
    text_ += name;
    ends_.push_back(static_cast<std::uint32_t>(text_.size()));
  }
  return number;
}

bool name_pool::restore(std::string text, std::vector<std::uint32_t> ends) {
  if (!std::is_sorted(ends.begin(), ends.end()) || (ends.empty() ? 0 : ends.back()) != text.size()) return false;
  text_ = std::move(text);
  ends_ = std::move(ends);
  return true;
}

std::string_view object_print::compiled_name(std::uint32_t name) const {
  const auto found = std::lower_bound(compiled.begin(), compiled.end(), std::pair(name, std::uint32_t{0}));
  return names[found != compiled.end() && found->first == name ? found->second : name];
}

std::string_view without_clone_suffix(std::string_view name) {
  static constexpr std::array<std::string_view, 9> suffixes{"constprop",  "isra", "part", "cold", "lto_priv",
                                                            "localalias", "llvm", "warm", "cfi"};
  for (;;) {
    const std::size_t end = name.find_last_not_of("0123456789.");
    std::string_view stem = end == std::string_view::npos ? name : name.substr(0, end + 1);
    const std::size_t dot = stem.rfind('.');
    if (dot == std::string_view::npos || dot == 0) return name;
    if (std::find(suffixes.begin(), suffixes.end(), stem.substr(dot + 1)) == suffixes.end()) return name;
    name = stem.substr(0, dot);
  }
}

std::string demangled(std::string_view name) {
  return llvm::demangle(name);
}

}  // namespace morph::object
