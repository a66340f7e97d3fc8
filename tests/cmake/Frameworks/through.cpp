#include <vector>

#include "deep/more.hpp"
