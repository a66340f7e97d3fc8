// A file's bytes, and what was measured, for the tests of stores.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "plugin/store/store.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::store_tests {

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline const store::snapshot some_content{"c0ffee", "7ree", {{"a.cpp", "b10b"}, {"gone.cpp", std::nullopt}}};

}  // namespace morph::store_tests
