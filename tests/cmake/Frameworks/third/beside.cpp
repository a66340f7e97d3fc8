#define CATCH_CONFIG_ENABLE_BENCHMARKING
#include "catch.hpp"
