// What of a subject a search calls, and the literals that it begins with.
#pragma once

#include <string>
#include <vector>

#include "plugin/generate/api.hpp"
#include "plugin/generate/literals.hpp"
#include "plugin/generate/subject.hpp"
#include "plugin/system/result.hpp"

namespace morph::generate {

struct offered_calls {
  api calls{};
  std::vector<refusal> refused{};               // those of the model, and what cannot be called for other reasons
  std::size_t callables = 0, callable_now = 0;  // without those that no header declares
};

/// `dropped`: callables that the compiler or the linker rejects. Literals of the sources go into the table. An error if
/// nothing of the unit can be called.
result<offered_calls> offer_calls(const subject& of, const std::vector<bool>& dropped, literal_table& literals);

/// Why the unit may be out of reach: "; ", place and reason of a callable that is refused, one of the unit's if there
/// is one.
std::string first_refusal(const std::vector<refusal>& all, const std::string& unit);

}  // namespace morph::generate
