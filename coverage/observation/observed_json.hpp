// Observed mutants as JSON: what is kept of an observation, and what other tools read of it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "coverage/observation/difference.hpp"

namespace morph::observation {

/// "weak-oracle", "no-propagation", "no-infection".
std::string_view name_of(symptom means);
std::optional<symptom> symptom_of(std::string_view name);

nlohmann::json to_json(const difference& of);
nlohmann::json to_json(const observed_mutant& of);

/// Throws nlohmann::json::exception for a value that to_json() does not write.
observed_mutant observed_of(const nlohmann::json& from);

}  // namespace morph::observation
