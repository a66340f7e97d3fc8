// What the program headers say.
#include "plugin/system/static_program.hpp"

#include <elf.h>

#include <cstring>
#include <fstream>

namespace morph::system {

bool is_static_program(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  Elf64_Ehdr header{};
  if (!in.read(reinterpret_cast<char*>(&header), sizeof header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_phentsize != sizeof(Elf64_Phdr))
    return false;
  in.seekg(static_cast<std::streamoff>(header.e_phoff));
  Elf64_Phdr segment{};
  for (unsigned i = 0; i < header.e_phnum; ++i)
    if (!in.read(reinterpret_cast<char*>(&segment), sizeof segment) || segment.p_type == PT_INTERP) return false;
  return true;
}

std::string tracer_beside(const std::filesystem::path& runtime) {
  return (runtime.parent_path() / "morph-tracer").string();
}

}  // namespace morph::system
