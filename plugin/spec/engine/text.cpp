// Strings, bytes and the reader behind morph/text.hpp.
#include "morph/text.hpp"

#include <algorithm>
#include <array>

namespace morph::text {
namespace {

constexpr int deepest = 200;
constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view hex_digits = "0123456789abcdef";

/// How many bytes the UTF-8 character at the beginning has (RFC 3629); 0: it is none.
std::size_t character_size(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || bytes.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  const bool is_long_form = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  const bool is_surrogate = first == 0xed && byte(1) >= 0xa0;
  const bool is_beyond = first == 0xf4 && byte(1) >= 0x90;
  return is_long_form || is_surrogate || is_beyond ? 0 : size;
}

bool is_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t size = character_size(bytes);
    if (size == 0) return false;
    bytes.remove_prefix(size);
  }
  return true;
}

void write_base64(std::string& to, std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    const std::size_t size = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k) three = three << 8 | (k < size ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) to += k <= size ? base64_digits[three >> (18 - 6 * k) & 63U] : '=';
  }
}

bool read_base64(std::string_view text, std::string& to) {
  if (text.size() % 4 != 0) return false;
  for (std::size_t i = 0; i < text.size(); i += 4) {
    std::uint32_t three = 0;
    std::size_t size = 3;
    for (std::size_t k = 0; k < 4; ++k) {
      const char c = text[i + k];
      const std::size_t digit = c == '=' ? 0 : base64_digits.find(c);
      if (digit == base64_digits.npos || (c != '=' && size < 3)) return false;
      if (c == '=') {
        if (i + 4 != text.size() || k < 2) return false;
        --size;
      }
      three = three << 6 | static_cast<std::uint32_t>(digit);
    }
    for (std::size_t k = 0; k < size; ++k) to += static_cast<char>(three >> (16 - 8 * k) & 255U);
  }
  return true;
}

void add_utf8(std::string& to, std::uint32_t character) {
  if (character < 0x80) {
    to += static_cast<char>(character);
  } else if (character < 0x800) {
    to += static_cast<char>(0xc0 | character >> 6);
    to += static_cast<char>(0x80 | (character & 0x3f));
  } else if (character < 0x10000) {
    to += static_cast<char>(0xe0 | character >> 12);
    to += static_cast<char>(0x80 | (character >> 6 & 0x3f));
    to += static_cast<char>(0x80 | (character & 0x3f));
  } else {
    to += static_cast<char>(0xf0 | character >> 18);
    to += static_cast<char>(0x80 | (character >> 12 & 0x3f));
    to += static_cast<char>(0x80 | (character >> 6 & 0x3f));
    to += static_cast<char>(0x80 | (character & 0x3f));
  }
}

struct escape {
  char letter, character;
};
constexpr std::array escapes{escape{'"', '"'},  escape{'\\', '\\'}, escape{'/', '/'},  escape{'b', '\b'},
                             escape{'f', '\f'}, escape{'n', '\n'},  escape{'r', '\r'}, escape{'t', '\t'}};

}  // namespace

void write_string(std::string& to, std::string_view value) {
  if (!is_utf8(value)) {
    to += "{\"base64\":\"";
    write_base64(to, value);
    to += "\"}";
    return;
  }
  to += '"';
  for (const char c : value) {
    const auto* const known =
        std::find_if(escapes.begin(), escapes.end(), [&](const escape& e) { return e.character == c && c != '/'; });
    if (known != escapes.end()) {
      to += '\\';
      to += known->letter;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      to += "\\u00";
      to += hex_digits[static_cast<unsigned char>(c) >> 4];
      to += hex_digits[static_cast<unsigned char>(c) & 15U];
    } else {
      to += c;
    }
  }
  to += '"';
}

void write_bytes(std::string& to, const void* bytes, std::size_t size) {
  to += "{\"bytes\":\"";
  const auto* const first = static_cast<const unsigned char*>(bytes);
  for (const unsigned char* b = first; b != first + size; ++b) {
    to += hex_digits[*b >> 4];
    to += hex_digits[*b & 15U];
  }
  to += "\"}";
}

void write_sorted(std::string& to, std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  to += '[';
  for (std::size_t i = 0; i < texts.size(); ++i) to.append(i == 0 ? "" : ",").append(texts[i]);
  to += ']';
}

bool read_bytes(reader& from, void* bytes, std::size_t size) {
  std::string name, digits;
  if (!from.take('{') || !from.name(name) || !from.take(':') || !from.name(digits) || !from.take('}')) return false;
  if (name != "bytes" || digits.size() != 2 * size)
    return from.fail("{\"bytes\": ...} of " + std::to_string(size) + " bytes is wanted");
  auto* const out = static_cast<unsigned char*>(bytes);
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t high = hex_digits.find(digits[2 * i]), low = hex_digits.find(digits[2 * i + 1]);
    if (high == hex_digits.npos || low == hex_digits.npos) return from.fail("bytes are hexadecimal digits");
    out[i] = static_cast<unsigned char>(high << 4 | low);
  }
  return true;
}

void reader::skip_blanks() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
    ++at_;
}

bool reader::fail(const std::string& what) {
  if (error_.empty()) error_ = "at " + std::to_string(at_) + ": " + what;
  return false;
}

bool reader::comes(char c) {
  skip_blanks();
  return at_ < text_.size() && text_[at_] == c;
}

bool reader::take(char expected) {
  if (!comes(expected))
    return fail(std::string("'") + expected + "' is wanted" +
                (at_ < text_.size() ? std::string(", not '") + text_[at_] + "'" : ", but the text ends"));
  ++at_;
  return true;
}

bool reader::word(std::string_view expected) {
  skip_blanks();
  if (text_.substr(at_, expected.size()) != expected) return fail("'" + std::string(expected) + "' is wanted");
  at_ += expected.size();
  return true;
}

bool reader::end() {
  skip_blanks();
  return at_ == text_.size() || fail("the value has ended, but more text comes");
}

bool reader::enter() {
  if (++depth_ <= deepest) return true;
  return fail("values are nested deeper than " + std::to_string(deepest) + " levels");
}

std::string_view reader::number() {
  skip_blanks();
  const std::size_t begin = at_;
  while (at_ < text_.size() && std::string_view("+-.0123456789eE").find(text_[at_]) != std::string_view::npos) ++at_;
  if (at_ == begin)
    fail(begin < text_.size() ? std::string("a number is wanted, not '") + text_[begin] + "'"
                              : "a number is wanted, but the text ends");
  return text_.substr(begin, at_ - begin);
}

bool reader::string(std::string& to) {
  if (!comes('{')) return name(to);
  to.clear();
  std::string kind, digits;
  if (!take('{') || !name(kind) || !take(':') || !name(digits) || !take('}')) return false;
  return (kind == "base64" && read_base64(digits, to)) || fail("a string or {\"base64\": ...} is wanted");
}

bool reader::name(std::string& to) {
  to.clear();
  if (!take('"')) return false;
  const auto four_digits = [&](std::uint32_t& code) {
    code = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = at_ < text_.size() ? static_cast<char>(text_[at_] | 0x20) : 'x';
      const std::size_t digit = hex_digits.find(c);
      if (digit == hex_digits.npos) return fail("four hexadecimal digits are wanted behind \\u");
      code = code << 4 | static_cast<std::uint32_t>(digit);
    }
    return true;
  };
  while (at_ < text_.size() && text_[at_] != '"') {
    if (static_cast<unsigned char>(text_[at_]) < 0x20) return fail("a string has no control characters");
    if (text_[at_] != '\\') {
      to += text_[at_++];
      continue;
    }
    if (++at_ == text_.size()) break;
    const char letter = text_[at_++];
    if (letter == 'u') {
      std::uint32_t code = 0, low = 0;
      if (!four_digits(code)) return false;
      if (code >= 0xd800 && code < 0xdc00) {
        if (text_.substr(at_, 2) != "\\u") return fail("half a surrogate pair");
        at_ += 2;
        if (!four_digits(low)) return false;
        if (low < 0xdc00 || low > 0xdfff) return fail("half a surrogate pair");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      } else if (code >= 0xdc00 && code < 0xe000) {
        return fail("half a surrogate pair");
      }
      add_utf8(to, code);
      continue;
    }
    const auto* const known =
        std::find_if(escapes.begin(), escapes.end(), [&](const escape& e) { return e.letter == letter; });
    if (known == escapes.end()) return fail(std::string("\\") + letter + " stands for nothing");
    to += known->character;
  }
  return take('"');
}

std::string_view reader::value() {
  skip_blanks();
  const std::size_t begin = at_;
  int open = 0;
  do {
    skip_blanks();
    if (at_ == text_.size()) {
      fail("the text ends within a value");
      return {};
    }
    const char c = text_[at_];
    if (c == '"') {
      std::string ignored;
      if (!string(ignored)) return {};
      continue;
    }
    open += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    if (open < 0) {
      fail("a value is wanted");
      return {};
    }
    if (open > 0 && std::string_view("[{,:").find(c) != std::string_view::npos) {
      ++at_;
      continue;
    }
    if (c == ']' || c == '}') {
      ++at_;
      continue;
    }
    const std::size_t word = at_;
    while (at_ < text_.size() && std::string_view(",:]} \t\r\n").find(text_[at_]) == std::string_view::npos) ++at_;
    if (at_ == word) {
      fail("a value is wanted");
      return {};
    }
  } while (open > 0);
  return text_.substr(begin, at_ - begin);
}

}  // namespace morph::text
