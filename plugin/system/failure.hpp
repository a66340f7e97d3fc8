// Why there is no value, and whose fault it is.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace morph {

struct failure {
  std::string message;
  bool is_of_request = false;  // else of what is around: files, the build tree, the installation
};

inline tl::unexpected<failure> wrong_request(std::string message) {
  return tl::unexpected(failure{std::move(message), true});
}
inline tl::unexpected<failure> wrong_surroundings(std::string message) {
  return tl::unexpected(failure{std::move(message), false});
}

}  // namespace morph
