// A spec inside a program of doctest.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <morph/doctest.hpp>

#define HOST_REQUIRE(what) REQUIRE(what)
#define HOST_CHECK(what) CHECK(what)
#include "squares.hpp"
