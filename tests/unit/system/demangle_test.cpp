// Names of C++ functions.
#include "plugin/system/demangle.hpp"

#include <gtest/gtest.h>

namespace {

using morph::system::demangled;

TEST(Demangle, WritesASymbolAsPeopleDoIfItIsOne) {
  EXPECT_EQ(demangled("_ZN5shape4areaEv"), "shape::area()");
  EXPECT_EQ(demangled("main"), "main");
  EXPECT_EQ(demangled("_Zbroken"), "_Zbroken");
}

}  // namespace
