// What a call throws, as text.
#pragma once

#include <exception>
#include <functional>
#include <string>

namespace morph::optimizer {

inline std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace morph::optimizer
