// Texts near another one: by single bytes, and by their lines, words and what brackets and quotes enclose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "optimizer/matrix/random.hpp"

namespace morph::generate {

/// A part that can be moved, removed or replaced as a whole.
struct text_piece {
  enum class kind : std::uint8_t {
    token,  // a word, or a run of other signs
    line,   // with its end
    group,  // brackets or quotes that match, with what is between them
  } of = kind::token;
  std::size_t begin = 0, end = 0;
};

/// In the order of their kinds; linear in the text.
std::vector<text_piece> pieces_of(std::string_view text);

/// What words of a dictionary are: the different tokens of a text in its order, those of up to 16 bytes.
std::vector<std::string> tokens_of(std::string_view text);

/// One change of one byte or of a part without regard to what it is.
std::string with_other_bytes(std::string text, std::string_view other, optimizer::random_source& random);

/// One change that keeps pieces whole: removed, doubled, swapped, copied, wrapped, or replaced by one of the same kind
/// of `other` or by a token.
std::string with_other_pieces(const std::string& text, std::string_view other, std::span<const std::string> tokens,
                              optimizer::random_source& random);

/// Parts of up to `most` bytes that begin and end with a line, at most `count` of them, evenly from the whole text.
std::vector<std::string> excerpts(std::string_view text, std::size_t most, std::size_t count);

}  // namespace morph::generate
