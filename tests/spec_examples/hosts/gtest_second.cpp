// A second source of a program of GoogleTest.
#include <morph/gtest.hpp>

#include "second_squares.hpp"
