// JSON as text.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace morph {

/// In one line, without an end of line. Names of tests and files may be no UTF-8: such bytes become U+FFFD.
std::string json_text(const nlohmann::json& value);

}  // namespace morph
