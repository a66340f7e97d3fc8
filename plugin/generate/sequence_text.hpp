// Sequences as text that a later run reads again: a call a line, by signature.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plugin/generate/api.hpp"
#include "plugin/generate/literals.hpp"
#include "plugin/generate/sequence.hpp"
#include "plugin/system/result.hpp"

namespace morph::generate {

/// A line with the format's number, then the sequences with an empty line between them:
///   v0 = ns::C::C()
///   ns::C::add(const std::string &, double, int) <- v0, "a\n", 1.5, 7
/// What a call gives has a name if it gives something. Arguments are such names, numbers, reals (with a point, an
/// exponent or both), texts in quotes with \n, \t, \", \\ and \xNN for other bytes, lists in brackets, and `-` for what
/// the call makes itself or a null pointer. A signature that several callables have is followed by #2, #3, ...
std::string printed(const std::vector<sequence>& all, const api& of, const literal_table& literals);

struct read_sequences {
  std::vector<sequence> all{};
  std::size_t dropped = 0;  // calls of what is not there any more, and calls that depend on them
};

/// An error, with its line, if the text is not one that printed() wrote. Literals go into the table.
result<read_sequences> parsed(std::string_view text, const api& of, literal_table& literals);

}  // namespace morph::generate
