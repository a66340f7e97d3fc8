// morph optimize --why: what one test is there for.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "optimizer/reduction.hpp"
#include "plugin/optimize/instance.hpp"

namespace morph::optimize {

/// The test of this name; an error that names those that are like it.
result<std::uint32_t> find_test(const optimize_instance& in, const std::string& name);

/// Schema morph.optimize-why/1. `problem`, `roles`: of the instance; `kept`: the set that was chosen of it.
nlohmann::json why_as_json(const optimize_instance& in, const optimizer::cover_problem& problem,
                           const std::vector<optimizer::test_role>& roles, const optimizer::test_set& kept,
                           std::uint32_t test);

/// What why_as_json() says.
std::string why_as_text(const nlohmann::json& why);

}  // namespace morph::optimize
