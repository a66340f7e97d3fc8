// Why something was not done; empty if it was.
#pragma once

#include <string>

#include "plugin/contract/failure.hpp"

namespace morph::test_support {

template <typename Value>
std::string message_of(const contract::outcome<Value>& of) {
  return of ? std::string() : of.error().message;
}

}  // namespace morph::test_support
