// A project of three suites in two directories: code that runs before the tests, tests that end in unusual ways, and a
// program that can refuse to list its tests.
#pragma once

#include <gtest/gtest.h>

#include "project.hpp"

namespace morph::end_to_end {

/// Configured, built, measured at its first commit. Made at the first call in a process.
workspace& measured_rooms();

class rooms_test : public testing::Test {
 protected:
  rooms_test();
  project& p;
};

/// Of the suite `endings`: what it executed cannot be recorded in full.
inline const names unusual_endings{"Ends.ByCrash", "Ends.ByExitStatusZero", "Ends.BySkipping", "Ends.ByTimeLimit"};

}  // namespace morph::end_to_end
