// Instructions told apart without LLVM are what LLVM says they are.
#include "coverage/object/read/common_x86.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <string>

namespace morph {
namespace {

using namespace object;

std::string hexadecimal(std::string_view code) {
  std::string text;
  for (const char c : code.substr(0, 15)) text += fmt::format("{:02x} ", static_cast<unsigned char>(c));
  return text;
}

/// Both ways of decoding, side by side.
class both_decoders {
 public:
  /// What differs, if anything does.
  std::string difference(std::string_view code, std::uint64_t address) {
    const instruction quick = quick_.decode(code, address), whole = whole_.decode(code, address);
    size_ = whole.size;
    const auto differ = [&](std::string_view what) { return fmt::format("{} of {}", what, hexadecimal(code)); };
    if (quick.known != whole.known || quick.size != whole.size) return differ("the size");
    if (quick.has_constant != whole.has_constant || quick.constant != whole.constant) return differ("the constant");
    if (quick_.control() != whole_.control()) return differ("the flow of control");
    if (quick_.is_direct() != whole_.is_direct()) return differ("the place in memory");
    const auto to = quick_.target(), expected = whole_.target();
    if (to.has_value() != expected.has_value()) return differ("whether there is a target");
    if (to &&
        (to->address != expected->address || to->field != expected->field || to->field_size != expected->field_size))
      return differ("the target");
    return {};
  }
  /// Of the instruction compared last.
  std::uint32_t size() const { return size_; }
  std::string canonical_of_quick() const { return quick_.canonical(false); }
  std::string canonical_of_whole() const { return whole_.canonical(false); }

 private:
  decoder quick_{machine::x86_64}, whole_{machine::x86_64, decoding::by_llvm};
  std::uint32_t size_ = 0;
};

// Every prefix, opcode and operand byte; of the bytes behind these any.
TEST(CommonX86, EveryOneIsWhatLlvmSays) {
  both_decoders both;
  std::mt19937 any(1);
  std::size_t told = 0, differences = 0;
  std::string code;
  const auto compare = [&] {
    const common_instruction common = common_x86(code);
    if (common.size == 0) return;
    ++told;
    const std::string difference = both.difference(code, 0x123456);
    if (!difference.empty() && ++differences <= 10) ADD_FAILURE() << difference;
    for (std::uint32_t cut = 1; told % 64 == 0 && cut < common.size; ++cut)
      EXPECT_EQ(common_x86(std::string_view(code).substr(0, cut)).size, 0U) << cut << " bytes of " << hexadecimal(code);
  };
  for (const std::string_view prefix : {"", "\x66", "\xf2", "\xf3", "\xf0"})
    for (const std::string_view rex : {"", "\x41", "\x42", "\x48", "\x4f"})
      for (const std::string_view escape : {"", "\x0f"})
        for (unsigned opcode = 0; opcode < 256; ++opcode) {
          code.assign(prefix).append(rex).append(escape).push_back(static_cast<char>(opcode));
          const std::size_t behind = code.size();
          for (int i = 0; i < 14; ++i) code += static_cast<char>(any());
          for (unsigned operands = 0; operands < 256; ++operands) {
            code[behind] = static_cast<char>(operands);
            if (operands >> 6U == 3 || (operands & 7U) != 4) {
              compare();
              continue;
            }
            for (const unsigned index : {0x00U, 0x05U, 0x25U, 0xe4U, 0xe5U}) {
              code[behind + 1] = static_cast<char>(index);
              compare();
            }
          }
        }
  EXPECT_GT(told, 500'000U);
  EXPECT_EQ(differences, 0U);
}

// What compilers made of this program and of the libraries in it.
TEST(CommonX86, TheyAreNearlyAllOfRealCode) {
  std::ifstream in("/proc/self/exe", std::ios::binary);
  const auto read = [&](std::uint64_t at, std::size_t size) {
    std::string bytes(size, '\0');
    in.seekg(static_cast<std::streamoff>(at));
    in.read(bytes.data(), static_cast<std::streamsize>(size));
    return bytes;
  };
  const std::string first = read(0, 64 * 1024);
  const auto& head = *reinterpret_cast<const Elf64_Ehdr*>(first.data());
  if (head.e_machine != EM_X86_64) GTEST_SKIP() << "this is no program of x86-64";
  const auto* const parts = reinterpret_cast<const Elf64_Phdr*>(first.data() + head.e_phoff);
  both_decoders both;
  std::size_t all = 0, told = 0, differences = 0;
  for (unsigned i = 0; i < head.e_phnum; ++i) {
    if (parts[i].p_type != PT_LOAD || (parts[i].p_flags & PF_X) == 0) continue;
    const std::string bytes = read(parts[i].p_offset, std::min<std::size_t>(parts[i].p_filesz, 1'000'000));
    const std::string_view code = bytes;
    for (std::size_t at = 0; at < code.size(); at += both.size(), ++all) {
      told += common_x86(code.substr(at)).size > 0 ? 1U : 0U;
      std::string difference = both.difference(code.substr(at), at);
      if (all % 64 == 0 && both.canonical_of_quick() != both.canonical_of_whole()) difference = "the text";
      if (!difference.empty() && ++differences <= 10) ADD_FAILURE() << difference;
    }
  }
  EXPECT_EQ(differences, 0U);
  EXPECT_GT(static_cast<double>(told), 0.9 * static_cast<double>(all));
}

}  // namespace
}  // namespace morph
