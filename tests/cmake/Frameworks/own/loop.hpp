#include "deep/more.hpp"  // [; ]
