// One table of the names of all prints.
#include "coverage/object/read/name_numbers.hpp"

namespace morph::object {

std::uint32_t name_numbers::number_of(std::string_view kept) {
  const auto [number, is_new] = numbers_.add(kept, size(), [&](std::uint32_t n) { return names_[n]; });
  if (is_new) names_.push_back(kept);
  return number;
}

const std::vector<std::uint32_t>& name_numbers::of(const std::shared_ptr<const object_print>& print) {
  const auto [at, is_new] = prints_.try_emplace(print.get());
  known_print& known = at->second;
  if (!is_new) return known.numbers;
  known.print = print;
  known.numbers.reserve(print->names.size());
  for (std::uint32_t i = 0; i < print->names.size(); ++i) known.numbers.push_back(number_of(print->names[i]));
  return known.numbers;
}

std::uint32_t name_numbers::add(std::string_view name) {
  if (const std::uint32_t known = find(name); known != none) return known;
  return number_of(*own_.emplace_back(std::make_unique<std::string>(name)));
}

std::uint32_t name_numbers::find(std::string_view name) const {
  return numbers_.find(name, [&](std::uint32_t n) { return names_[n]; });
}

}  // namespace morph::object
