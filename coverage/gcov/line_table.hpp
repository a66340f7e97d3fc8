// The lines of each file that an object file has code of, by its own debugging information.
#ifndef MORPH_COVERAGE_GCOV_LINE_TABLE_HPP
#define MORPH_COVERAGE_GCOV_LINE_TABLE_HPP

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace morph::gcov {

// By files as the compiler saw them; each once, in order.
using line_table = std::map<std::string, std::vector<std::uint32_t>>;

// Of a 64-bit ELF object with DWARF 2 to 4; memory is a small multiple of the bytes. An error if it has no line table.
// `path` is for messages.
tl::expected<line_table, std::string> parse_line_table(std::string_view bytes, std::string_view path);

}  // namespace morph::gcov

#endif
