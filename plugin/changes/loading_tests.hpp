// Which tests loaded a program or shared library.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plugin/store/evidence.hpp"

namespace morph::changes {

/// By probes, rows have the units of all that the tests loaded: those of which one has a unit that is the link's own,
/// and those of `programs`; indices of evidence::tests, ascending. Nothing if that cannot be told. Programs have
/// functions of one name that are not of one code.
std::optional<std::vector<std::uint32_t>> tests_that_load(const store::evidence& facts,
                                                          const store::measured_link& link,
                                                          const std::vector<std::uint32_t>& programs);

}  // namespace morph::changes
