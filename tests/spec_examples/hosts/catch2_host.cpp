// A spec inside a program of Catch2.
#define CATCH_CONFIG_MAIN
#include <morph/catch2.hpp>

#define HOST_REQUIRE(what) REQUIRE(what)
#define HOST_CHECK(what) CHECK(what)
#include "squares.hpp"
