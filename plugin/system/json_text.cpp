// Writing it.
#include "plugin/system/json_text.hpp"

#include <nlohmann/json.hpp>

namespace morph {

std::string json_text(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace morph
