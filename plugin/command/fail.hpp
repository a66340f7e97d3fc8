// How a subcommand ends that has no result.
#pragma once

#include <spdlog/spdlog.h>

#include <string>

#include "plugin/contract/exit_codes.hpp"
#include "plugin/system/failure.hpp"

namespace morph::command {

inline int fail(contract::exit_code code, const std::string& message) {
  spdlog::error("{}", message);
  return code;
}

inline int fail(const morph::failure& why) {
  return fail(why.is_of_request ? contract::usage : contract::environment, why.message);
}

}  // namespace morph::command
