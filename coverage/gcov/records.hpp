// What .gcno and .gcda files have in common: a header, then tagged records whose lengths are counted in words up to
// GCC 11 and in bytes from GCC 12 on.
#ifndef MORPH_COVERAGE_GCOV_RECORDS_HPP
#define MORPH_COVERAGE_GCOV_RECORDS_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "coverage/gcov/bytes.hpp"

namespace morph::gcov {

namespace magic {
constexpr std::uint32_t note = 0x67636e6f;  // "gcno"
constexpr std::uint32_t data = 0x67636461;  // "gcda"
}  // namespace magic

namespace tag {
constexpr std::uint32_t function = 0x01000000;
constexpr std::uint32_t blocks = 0x01410000;
constexpr std::uint32_t arcs = 0x01430000;
constexpr std::uint32_t lines = 0x01450000;
constexpr std::uint32_t conditions = 0x01470000;  // since GCC 14
constexpr std::uint32_t arc_counters = 0x01a10000;
constexpr std::uint32_t condition_counters = 0x01b10000;
}  // namespace tag

// The major version of the compiler in a version word: "B22*" is 12. 0: not a version word of GCC 5 or later.
int gcc_major(std::uint32_t version);

// Whether the layout of its files was compared with that version's own gcov.
bool is_supported_gcc(int major);

// What the twin asks Clang for, the layout of GCC 9, which is that of GCC 11, with phases that no release of GCC has:
// "A93L" Clang 19, "A93M" Clang 14 and 16. The former leave out lines of a function that come from another file than
// its first one (an #include in its midst, the initializer of a member in the class) and all that follow in the
// function; the latter have them under the function's own file.
constexpr std::uint32_t clang_version = 0x4139334c;
constexpr std::uint32_t clang_version_mixed = 0x4139334d;

constexpr bool is_clang(std::uint32_t version) {
  return version == clang_version || version == clang_version_mixed;
}

struct file_header {
  std::uint32_t version = 0;
  int gcc = 0;
  std::uint32_t stamp = 0;
  std::uint32_t checksum = 0;  // 0 before GCC 12, and in the notes that GCC 12 writes
};

struct record {
  std::uint32_t tag = 0;
  std::uint32_t length = 0;  // in bytes
  bool zeros = false;        // the payload was left out since it is `length` zero bytes
  byte_reader payload{{}};
};

// Walks the records of one file. Errors name the file, `kind` ("notes", "counters") and the offset.
class record_reader {
 public:
  record_reader(std::string_view bytes, std::string_view path, std::string_view kind)
      : in_(bytes), path_(path), kind_(kind) {}

  tl::expected<file_header, std::string> header(std::uint32_t expected_magic);
  // Nothing at the end of the file.
  tl::expected<std::optional<record>, std::string> next();
  std::string text(byte_reader& in) const { return std::string(text_view(in)); }
  std::string_view text_view(byte_reader& in) const;

  byte_reader& rest() { return in_; }
  tl::unexpected<std::string> damaged(std::string_view what) const;

 private:
  byte_reader in_;
  std::string_view path_;
  std::string_view kind_;
  std::uint32_t unit_ = 1;
};

}  // namespace morph::gcov

#endif
