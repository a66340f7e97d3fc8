// Reading whole files, replaceable in tests.
#ifndef MORPH_COVERAGE_GCOV_FILES_HPP
#define MORPH_COVERAGE_GCOV_FILES_HPP

#include <functional>
#include <string>
#include <tl/expected.hpp>

namespace morph::gcov {

using file_reader = std::function<tl::expected<std::string, std::string>(const std::string& path)>;

tl::expected<std::string, std::string> read_file(const std::string& path);

}  // namespace morph::gcov

#endif
