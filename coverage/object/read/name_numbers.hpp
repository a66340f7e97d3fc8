// The names of many objects by one number each, so that who links or compares them need not look at their letters.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "coverage/object/read/object_print.hpp"
#include "coverage/object/read/string_numbers.hpp"

namespace morph::object {

/// Keeps the prints whose names it numbers.
class name_numbers {
 public:
  /// The numbers of a print's names, in its own order; there as long as this is.
  const std::vector<std::uint32_t>& of(const std::shared_ptr<const object_print>& print);
  std::uint32_t add(std::string_view name);
  /// None of a name that nobody added.
  std::uint32_t find(std::string_view name) const;
  std::uint32_t size() const { return static_cast<std::uint32_t>(names_.size()); }

 private:
  struct known_print {
    std::shared_ptr<const object_print> print;
    std::vector<std::uint32_t> numbers;
  };
  std::uint32_t number_of(std::string_view kept);

  string_numbers numbers_;
  std::vector<std::string_view> names_;
  std::unordered_map<const object_print*, known_print> prints_;
  std::vector<std::unique_ptr<std::string>> own_;  // of names that are in no print
};

}  // namespace morph::object
