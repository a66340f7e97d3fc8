// Callables of a model made by hand, for the tests of what is written of them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plugin/generate/model.hpp"

namespace morph::generate::handmade {

inline parameter parameter_of(parameter::kind how, std::string type, std::string name = "p") {
  parameter made;
  made.how = how;
  made.type = std::move(type);
  made.name = std::move(name);
  return made;
}
inline parameter number(std::string type = "int", std::uint32_t bytes = 4, bool is_unsigned = false) {
  parameter made = parameter_of(parameter::kind::number, std::move(type));
  made.bytes = bytes;
  made.is_unsigned = is_unsigned;
  return made;
}
inline parameter object_of(std::uint32_t class_number, std::string type, bool by_move = false) {
  parameter made = parameter_of(parameter::kind::object, std::move(type));
  made.class_number = class_number;
  made.by_move = by_move;
  return made;
}

inline returned returns(returned::kind how, std::string type = "int", std::uint32_t class_number = 0) {
  returned made;
  made.how = how;
  made.type = std::move(type);
  made.class_number = class_number;
  return made;
}

inline modelled_class class_of(std::string name, std::vector<std::uint32_t> bases) {
  modelled_class made;
  made.name = std::move(name);
  made.bases = std::move(bases);
  made.is_copyable = made.is_movable = true;
  return made;
}
inline modelled_callable constructor(std::uint32_t class_number, std::string name,
                                     std::vector<parameter> parameters = {}) {
  modelled_callable made;
  made.how = modelled_callable::kind::constructor;
  made.name = made.signature = std::move(name);
  made.class_number = class_number;
  made.parameters = std::move(parameters);
  return made;
}
inline modelled_callable function(std::string name, std::vector<parameter> parameters, returned gives = {}) {
  modelled_callable made;
  made.name = made.signature = std::move(name);
  made.parameters = std::move(parameters);
  made.result = std::move(gives);
  return made;
}
inline modelled_callable method(std::uint32_t class_number, std::string name, std::vector<parameter> parameters,
                                returned gives = {}) {
  modelled_callable made = function(name, std::move(parameters), std::move(gives));
  made.how = modelled_callable::kind::method;
  made.method = std::move(name);
  made.class_number = class_number;
  made.has_receiver = true;
  return made;
}

}  // namespace morph::generate::handmade
