// A second source of a program of Catch2.
#include <morph/catch2.hpp>

#include "second_squares.hpp"
