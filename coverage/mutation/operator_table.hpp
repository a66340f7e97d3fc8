// The mutation operators by name: what they do, and which are used unless told otherwise.
#pragma once

#include <span>
#include <string_view>

namespace morph::mutation {

struct operator_fact {
  std::string_view name;
  std::string_view summary;
  std::string_view example;
  bool by_default;
};

/// In the order of their names.
std::span<const operator_fact> operator_facts();

const operator_fact* find_operator_fact(std::string_view name);

}  // namespace morph::mutation
