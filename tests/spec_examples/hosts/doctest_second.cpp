// A second source of a program of doctest.
#include <morph/doctest.hpp>

#include "second_squares.hpp"
