// Inputs out of the tests that the project has: what they call becomes sequences, and what they pass literals.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "plugin/generate/api.hpp"
#include "plugin/generate/literals.hpp"
#include "plugin/generate/model.hpp"
#include "plugin/generate/recipe_book.hpp"

namespace morph::generate {

/// What a search begins with.
struct known_inputs {
  std::vector<sequence> first{};  // are executed before all others
  recipe_book book{};
};

/// What was read, and what of it is used.
struct recipe_counts {
  std::size_t sources = 0, tests = 0, recipes = 0;
  std::size_t calls = 0, calls_used = 0;
  std::map<std::string, std::size_t> left_out{};  // calls, by reason
  std::vector<std::string> unread{};              // sources, with the first error of each
  std::vector<std::string> files{};               // that tests name: what stands in them is offered, too
};

/// `lines`: of the task "recipes"; `root`: their names of files count from there. A call that is not among the
/// callables, or has an argument that is not known, is left out, and so is what depends on the objects that it may
/// change. Literals get into the pools, those of calls that are left out, too.
known_inputs inputs_of(const std::vector<nlohmann::json>& lines, const std::string& root, const model& offered,
                       const api& of, literal_table& literals, recipe_counts& counts);

}  // namespace morph::generate
