// The specs of a program, made and checked, and how its command line complains.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "morph/declared.hpp"

namespace morph::engine {

enum exit_code { fine = 0, finding = 1, usage = 2, environment = 3, internal = 4 };

/// On the standard error. The code.
int complain(exit_code code, const std::string& what);
/// From now on complain() prints what prevents all else on the standard output, too.
void say_errors_as_json(bool says);

struct made_spec {
  std::unique_ptr<spec_base> spec;
  const registered_spec* from;
};

/// An error that names both places.
std::string two_of_one_name(const registered_spec& a, const registered_spec& b);

/// In the order of their declaration. An error if there is none, two have one name, or one lacks something.
std::string make_specs(std::vector<made_spec>& to);

/// The one of this name; without a name, the only one. An error names those there are.
std::string find_spec(const std::vector<made_spec>& all, const std::string& name, const made_spec*& to);

}  // namespace morph::engine
