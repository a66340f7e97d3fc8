// Which sources hold tests, by the names of their files and folders.
#pragma once

#include <string_view>

namespace morph::naming {

/// By a folder's name or its own: `tests/area.cpp`, `area_test.cc`, `TestArea.cpp`, `xmltest.cpp`, `spec/area.cpp`. The
/// path begins at the project's root.
bool is_named_as_tests(std::string_view path);

}  // namespace morph::naming
