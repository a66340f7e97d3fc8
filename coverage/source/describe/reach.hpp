// Which callables can be called: a fixpoint over what makes the values that they take.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace morph::source {

struct unreachable_callable {
  std::size_t number;  // in the list of callables
  std::string type;    // by its name in the table, that nothing makes
};

/// Adds "reachable" and "level" to each callable: 0 if its arguments are plain values, otherwise one more than the
/// level of what makes them; -1 if nothing does. Adds "level" to each class, and "by_stub" to those that only a class
/// written for the purpose can stand for. A round takes time linear in the callables; there are as many rounds as
/// levels.
std::vector<unreachable_callable> add_levels(nlohmann::json& callables, nlohmann::json& classes,
                                             const nlohmann::json& types);

}  // namespace morph::source
