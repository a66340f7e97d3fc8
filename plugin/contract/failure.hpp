// Why something was not done, and how that ends the program.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "plugin/contract/exit_codes.hpp"

namespace morph::contract {

struct failure {
  int code = environment;  // exit_code, or that of a program that we ran
  std::string message{};   // empty: `said` is all that there is to say
  std::string said{};      // what such a program wrote to stderr
};

template <typename Value>
using outcome = tl::expected<Value, failure>;

inline tl::unexpected<failure> not_done(int code, std::string message) {
  return tl::unexpected(failure{code, std::move(message), {}});
}

}  // namespace morph::contract
