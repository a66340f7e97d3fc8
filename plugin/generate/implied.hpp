// Calls that no header declares and every test can write: objects of their fields, fields themselves, containers that
// are filled, and classes written for the purpose.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

#include "plugin/generate/model.hpp"
#include "plugin/generate/model_types.hpp"

namespace morph::generate {

/// Behind the callables of the model. `line`: what the types were read of.
void add_implied(model& to, type_reader& types, const nlohmann::json& line);

/// The class, with the answers of these of its functions; each line begins with `indent`.
std::string stub_text(const modelled_stub& of, const std::set<std::string>& answered, const std::string& indent);

}  // namespace morph::generate
