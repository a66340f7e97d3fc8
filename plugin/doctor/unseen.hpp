// What tests can depend on though no plan compares it: the clock, chance, services, ... told by the functions that code
// calls.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coverage/object/read/object_print.hpp"

namespace morph::doctor {

/// One line of the table in docs/limitations.md.
struct unseen_kind {
  std::string_view name;
  std::string_view meaning;  // "asks <meaning>"
  std::string_view advice;
  std::span<const std::string_view> symbols;  // as linkers write them; one that ends in '*' is a beginning
};
std::span<const unseen_kind> unseen_kinds();

struct unseen_call {
  const unseen_kind* kind = nullptr;
  std::string caller;  // demangled; "what runs before main()" for initializers
  std::string callee;  // demangled
};

/// The calls of an object, and its uses of such functions as values, in the order of its code. Those of test frameworks
/// do not count: they measure durations and choose random orders. Linear in the object's references.
std::vector<unseen_call> unseen_calls(const object::object_print& print);

}  // namespace morph::doctor
