// Which functions of a unit a test can call, and which of them read which fields.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "coverage/source/clang/files.hpp"

namespace clang {
class ASTContext;
}

namespace morph::source {

/// A function that is defined in a file of the choice; of a template its pattern.
struct function_access {
  std::string name{};      // as branches and calls name it
  std::string in_class{};  // its class, or empty
  std::string header{};    // the first one of the choice that declares it; empty: none does
  std::string why_not{};   // why a test cannot call it; empty if it can
  std::string result{};    // its type, canonical
  std::uint32_t parameters = 0;
  std::uint32_t objects = 0;  // parameters that are neither numbers, enumerators nor texts
  bool is_constant = false;
  bool is_getter = false;            // gives what it has: no parameter, one statement, no call
  std::vector<std::string> reads{};  // of a constant method without parameters: fields of its own object, qualified
  std::string gives{};               // the field that it returns as it is
};

/// In the order of the source, without lambdas.
std::vector<function_access> read_access(clang::ASTContext& context, const file_choice& chosen);

nlohmann::json to_json(const std::vector<function_access>& all);

}  // namespace morph::source
