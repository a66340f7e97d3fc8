// A spec inside a program of GoogleTest.
#include <morph/gtest.hpp>

#define HOST_REQUIRE(what) ASSERT_TRUE(what)
#define HOST_CHECK(what) EXPECT_TRUE(what)
#include "squares.hpp"
