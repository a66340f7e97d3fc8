// Places of files as JSON, the form in which the program that reads sources hands them over.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <tl/expected.hpp>

#include "coverage/mutation/place.hpp"

namespace morph::mutation {

nlohmann::json to_json(const file_places& file);
tl::expected<file_places, std::string> from_json(const nlohmann::json& json);

}  // namespace morph::mutation
