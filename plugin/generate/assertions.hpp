// What a generated test asserts: results that are the same in every run.
#pragma once

#include <cstdint>

#include "plugin/generate/emit.hpp"
#include "plugin/generate/minimize.hpp"

namespace morph::generate {

inline constexpr std::size_t most_assertions = 3;

/// Observes the test several times, asks the objects at its end as well, and keeps the values that never differ.
/// `unstable` counts the others. Without calls: the test does not end in the same way each time.
result<test_case> with_assertions(const kept_test& of, const model& in, const api& as, const literal_table& literals,
                                  served_program& served, std::uint64_t& unstable);

}  // namespace morph::generate
