// What comparing functions and comparing initializers have in common.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "coverage/object/compare/compare.hpp"

namespace morph::object {

/// What an object alone can name: by the name, and which of that name.
class local_names {
 public:
  explicit local_names(const link_unit& unit);

  std::optional<std::uint32_t> object(std::string_view path) const;
  const std::map<std::string_view, std::vector<unit_atom>>& names(std::uint32_t object);

 private:
  const link_unit& unit_;
  std::unordered_map<std::string_view, std::uint32_t> objects_;
  std::vector<std::optional<std::map<std::string_view, std::vector<unit_atom>>>> by_object_;
};

struct compared_units {
  compared_units(const link_unit& older, const link_unit& newer, const compare_options& with);

  const link_unit& before;
  const link_unit& after;
  const compare_options& options;
  local_names before_names, after_names;
  std::vector<std::uint32_t> same;  // objects of the newer unit, by those of the older; none if something differs
};

std::span<const std::uint32_t> constants_of(const link_unit& unit, std::uint32_t object, const range& of);

/// Whether constants that differ are numbers of the function's lines, which moved so.
bool are_moved_lines(const compare_options& options, const function_name& function, std::span<const std::uint32_t> was,
                     std::span<const std::uint32_t> is);

/// Of an atom of the older unit, under one of its names.
change change_of(const link_unit& before, unit_atom index, std::string_view name, change_reason reason);

/// Adds to the result what differs in what runs before main(). Gives the objects of the older unit that register a test
/// less.
std::set<std::uint32_t> compare_initializers(compared_units& units, comparison& result);

}  // namespace morph::object
