// Which lines of a source belong to a function, told by its tokens: for functions of which nobody counts lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace morph::build {

/// A block that parentheses stand before: a function, or what a macro makes one of. Of nested ones the outermost.
struct source_function {
  std::uint32_t first_line = 0;  // of what stands before the brace, from 1
  std::uint32_t last_line = 0;   // of the closing brace
  std::string_view head, body;   // what stands before the brace; from it to the closing one
  bool is_cut = false;  // a branch of the preprocessor begins or ends in its head, or takes a part of its braces
  std::vector<std::string_view> names;  // words that stand before parentheses
  std::vector<std::string_view>
      arguments;  // in the first parentheses, where words and literals alone stand between commas
};

/// In the order of their ends. `text` must outlive them. Braces are counted as if the first branch of every `#if` were
/// compiled, up to its `#else`; then the others in its place. Linear in the text.
std::vector<source_function> source_functions(std::string_view text);

/// Whether the word stands in a demangled name, as a word.
bool has_word(std::string_view name, std::string_view word);

/// Whether a symbol with this demangled name may be the function, or be made in it (a lambda, say): one of its words is
/// a name of the function; or the function is a macro's whose first argument is a word of it (Boost), or whose first
/// two stand in it as GoogleTest puts them (`A_B_Test`), or whose first is a literal that it contains
/// (object::test_numbers).
bool may_be(const source_function& function, std::string_view demangled);

}  // namespace morph::build
