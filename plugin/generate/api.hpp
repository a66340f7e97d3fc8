// What sequences can call: callables with their slots, and which of them make an object of a type.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugin/generate/sequence.hpp"

namespace morph::generate {

/// What stands at one place of a call: the receiver, or a parameter.
struct slot {
  enum class source : std::uint8_t {
    value,    // an object that an earlier call gave
    literal,  // of a role
    nothing,  // the thunk makes what it needs: variables that are written to, streams
  } from = source::nothing;
  std::uint32_t type = 0;  // of value
  bool changes = false;    // a constant object does not do
  bool takes = false;      // the object is moved from: it cannot be used any more
  bool destroys = false;   // as a function of the project does; only what such a one is there for will do
  bool may_be_null = false;
  std::uint32_t role = 0;  // of literal
};

/// What a call gives to later ones.
struct produced {
  std::uint32_t type = 0;
  bool is_constant = false;
  bool is_to_destroy = false;  // by a function of the project
};

struct callable {
  std::string signature{};
  std::vector<slot> slots{};
  std::optional<produced> gives{};
  bool is_of_unit = false;               // under test
  bool is_preferred = false;             // a user's: what it gives comes before what others give
  std::uint32_t level = 0;               // how many steps away from literals
  std::uint64_t calls = 0, crashes = 0;  // as far as they were executed; that it was blamed for

  /// More of its calls end the process than not.
  bool is_risky() const { return crashes >= 4 && crashes * 2 > calls; }
};

struct api {
  std::vector<callable> callables;
  std::vector<std::vector<std::uint32_t>> bases;  // of each type: the types that its objects are, itself among them

  /// Callables that give an object of the type, those with the fewest steps first.
  std::vector<std::vector<std::uint32_t>> makers{};
  std::vector<std::vector<std::uint32_t>> preferred_makers{};
  std::vector<std::uint32_t> of_unit{};

  bool is_a(std::uint32_t type, std::uint32_t wanted) const;
  /// An object that a call gives can stand in the slot.
  bool serves(const produced& given, const slot& in) const;
  /// Sets levels, makers and of_unit by fixpoint. Returns which callables can be called at all.
  std::vector<bool> settle();
};

}  // namespace morph::generate
