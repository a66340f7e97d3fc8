// How a test reads a property of an expression: by itself, as a field, or through a function that shows a private one.
#pragma once

#include <string>

#include "coverage/observation/difference.hpp"
#include "plugin/explain/sources.hpp"

namespace morph::explain {

struct readable_property {
  std::string text{};       // as a test writes it; empty: it cannot
  std::string type{};       // of its value, if that is known
  std::string field{};      // the private field, by its own name; empty: nothing private is in the way
  std::string of_class{};   // that has it
  std::string accessor{};   // the function that shows it, or depends on it
  bool shows_value = true;  // else the function only depends on the field: what it gives was not observed
};

/// `expression`: how the test writes what was observed there; another name of it will do. For a private field the
/// constant, public function without parameters that returns it, else one that reads it, in its class or one that
/// derives from that.
readable_property property_of(const observation::difference& of, const std::string& expression,
                              const project_functions& functions);

/// Whether not a value differs, but what happens: an exception, how often it is evaluated.
bool is_event(const observation::difference& of);

/// The class that a function is a member of, by its name: shop::basket of "shop::basket::sum() const"; else its
/// namespace.
std::string class_of_function(const std::string& function);

/// The class of an expression of this type, without what refers to it: "const shop::basket &" is shop::basket.
std::string class_of(const std::string& type);

}  // namespace morph::explain
