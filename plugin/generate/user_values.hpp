// How users say what inputs are like: functions in headers that are called NAME.values.hpp or NAME.values.h.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/generate/api.hpp"
#include "plugin/generate/literals.hpp"
#include "plugin/generate/model.hpp"
#include "plugin/generate/served_program.hpp"
#include "plugin/system/result.hpp"

namespace morph::generate {

bool is_values_header(std::string_view path);

/// Those of the project, without its build tree, in the order of their paths.
std::vector<std::string> values_headers(const build::build_tree& tree);

/// Names of functions in such headers: a parameter of that name has literals of its own.
std::set<std::string> names_of_values(const model& of);

/// Objects of their functions come before others.
void prefer_values(const model& of, api& to);

struct user_value_counts {
  std::size_t functions = 0, literals = 0;
};

/// Calls those that give a number or a text with 0, 1, 2 and so on, and puts what they give into the pools: of
/// parameters that are called as the function is, else of all parameters of its type. A call that fails gives nothing.
result<user_value_counts> offer_values(const model& of, const api& in, literal_table& literals, served_program& served,
                                       optimizer::random_source& random);

}  // namespace morph::generate
