// Parts of the input domain: partitions by predicates, or categories of which each input has one choice.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "morph/erased.hpp"

namespace morph {

/// A part of the values of T, by a predicate: `{"empty", [](const std::string& s) { return s.empty(); }}`.
template <typename T>
struct part_of {
  std::string name;
  detail::erased<bool(const T&)> holds;
};

/// A choice of a category: `{"size", "empty"}`.
struct choice_of {
  std::string category, choice;
};

namespace detail {

/// What a field is: a member, or a function of the input.
template <typename Field, typename In>
decltype(auto) field_of(const Field& field, const In& in) {
  if constexpr (std::is_member_object_pointer_v<Field>)
    return in.*field;
  else if constexpr (std::is_member_function_pointer_v<Field>)
    return (in.*field)();
  else
    return field(in);
}
template <typename Field, typename In>
using field_type = std::remove_cvref_t<decltype(field_of(std::declval<const Field&>(), std::declval<const In&>()))>;

/// The predicates of a spec: by category, by choice. Those of partitions() are a category of their own.
template <typename In>
using partition_predicates = std::vector<std::vector<erased<bool(const In&)>>>;

}  // namespace detail
}  // namespace morph
