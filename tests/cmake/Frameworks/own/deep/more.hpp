#include <doctest.h>

#include "../loop.hpp"
