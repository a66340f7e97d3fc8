// Assertions as a test framework has them: gtest, catch2 or doctest.
#pragma once

#include <string>

#include "plugin/generate/model.hpp"
#include "plugin/generate/served_program.hpp"

namespace morph::generate {

/// That `call` gives what was observed.
std::string expectation(const returned& of, const std::string& call, const observation& seen,
                        const std::string& framework);

/// That it throws: the type, or anything if that has no name.
std::string expected_exception(const std::string& call, const std::string& type, const std::string& framework);

}  // namespace morph::generate
