// What the gcov tests share: a folder that disappears, commands, and a writer of notes and counters as GCC lays them
// out.
#ifndef MORPH_TESTS_UNIT_GCOV_SUPPORT_HPP
#define MORPH_TESTS_UNIT_GCOV_SUPPORT_HPP

#include <sys/wait.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace gcov_support {

class temporary_folder {
 public:
  temporary_folder() {
    auto name = (std::filesystem::temp_directory_path() / "morph-gcov-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = std::filesystem::canonical(name);
  }
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  std::filesystem::path write(const std::string& name, std::string_view text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct finished_command {
  int status = -1;
  std::string output;
};

inline finished_command run(const std::string& command) {
  finished_command result;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return result;
  std::array<char, 1 << 16> buffer;
  for (std::size_t got; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    result.output.append(buffer.data(), got);
  }
  const int status = ::pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

struct written_arc {
  std::uint32_t source, destination, flags;  // 1 on the tree, 2 fake, 4 fall through
};
struct written_line {
  std::uint32_t block;
  std::string file;
  std::vector<std::uint32_t> lines;
};
struct written_function {
  std::uint32_t ident, lineno_checksum, cfg_checksum;
  std::string symbol;
  bool artificial;
  std::string file;
  std::uint32_t start_line, end_line, blocks;
  std::vector<written_arc> arcs;
  std::vector<written_line> lines;
};

// Writes what the given major version of GCC would.
class gcov_writer {
 public:
  explicit gcov_writer(int gcc) : gcc_(gcc) {}

  std::uint32_t version() const {
    const auto tens = static_cast<std::uint32_t>('A' + gcc_ / 10), ones = static_cast<std::uint32_t>('0' + gcc_ % 10);
    return tens << 24 | ones << 16 | std::uint32_t{'2'} << 8 | std::uint32_t{'*'};
  }

  std::string note(std::uint32_t stamp, std::string_view cwd, const std::vector<written_function>& functions) {
    out_.clear();
    header(0x67636e6f, stamp, 0);
    text(out_, cwd);
    word(out_, 1);
    for (const auto& f : functions) {
      std::string payload;
      for (const auto value : {f.ident, f.lineno_checksum, f.cfg_checksum}) word(payload, value);
      text(payload, f.symbol);
      word(payload, f.artificial ? 1 : 0);
      text(payload, f.file);
      for (const auto value : {f.start_line, std::uint32_t{3}, f.end_line, std::uint32_t{4}}) word(payload, value);
      record(0x01000000, payload);
      payload.clear();
      word(payload, f.blocks);
      record(0x01410000, payload);
      for (const auto& a : f.arcs) {
        payload.clear();
        for (const auto value : {a.source, a.destination, a.flags}) word(payload, value);
        record(0x01430000, payload);
      }
      for (const auto& place : f.lines) {
        payload.clear();
        word(payload, place.block);
        word(payload, 0);
        text(payload, place.file);
        for (const auto line : place.lines) word(payload, line);
        word(payload, 0);
        word(payload, 0);
        record(0x01450000, payload);
      }
    }
    return out_;
  }

  // A function without values is written as one with `zeros` counters, none of which was touched.
  std::string data(std::uint32_t stamp, std::uint32_t checksum, const std::vector<written_function>& functions,
                   const std::vector<std::vector<std::uint64_t>>& values, std::uint32_t zeros = 0) {
    out_.clear();
    header(0x67636461, stamp, checksum);
    for (std::size_t i = 0; i < functions.size(); ++i) {
      const auto& f = functions[i];
      std::string payload;
      for (const auto value : {f.ident, f.lineno_checksum, f.cfg_checksum}) word(payload, value);
      record(0x01000000, payload);
      payload.clear();
      for (const auto value : values[i]) payload.append(reinterpret_cast<const char*>(&value), sizeof value);
      if (values[i].empty() && zeros > 0) {
        word(out_, 0x01a10000);
        word(out_, 0U - zeros * (gcc_ >= 12 ? 8 : 2));
      } else {
        record(0x01a10000, payload);
      }
    }
    return out_;
  }

 private:
  static void word(std::string& out, std::uint32_t value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string& out, std::string_view value) const {
    if (value.empty()) return word(out, 0);
    const auto bytes = static_cast<std::uint32_t>(value.size() + 1);
    const auto padded = gcc_ >= 12 ? bytes : (bytes + 3) / 4 * 4;
    word(out, gcc_ >= 12 ? bytes : padded / 4);
    out.append(value).append(padded - value.size(), '\0');
  }
  void record(std::uint32_t tag, const std::string& payload) {
    word(out_, tag);
    word(out_, static_cast<std::uint32_t>(gcc_ >= 12 ? payload.size() : payload.size() / 4));
    out_ += payload;
  }
  void header(std::uint32_t magic, std::uint32_t stamp, std::uint32_t checksum) {
    word(out_, magic);
    word(out_, version());
    word(out_, stamp);
    if (gcc_ >= 12) word(out_, checksum);
  }

  int gcc_;
  std::string out_;
};

}  // namespace gcov_support

#endif
