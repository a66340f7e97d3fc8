// How a subcommand ends that could not do what it was asked for.
#pragma once

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <string>

#include "plugin/contract/failure.hpp"

namespace morph::command {

/// Says why. The exit code.
inline int failed(const contract::failure& why) {
  fmt::print(stderr, "{}", why.said);
  if (!why.message.empty()) spdlog::error("{}", why.message);
  return why.code;
}
inline int failed(int code, const std::string& why) {
  return failed({code, why, {}});
}

}  // namespace morph::command
