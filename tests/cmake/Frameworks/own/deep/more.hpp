#include "../loop.hpp"
#include <doctest.h>
