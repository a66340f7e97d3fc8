// Relocations of the psABIs of x86-64 and AArch64.
#include "coverage/object/read/relocations.hpp"

#include <elf.h>

namespace morph::object {

bool is_x86_relative(std::uint32_t type) {
  switch (type) {
    case R_X86_64_PC32:
    case R_X86_64_PLT32:
    case R_X86_64_PC64:
    case R_X86_64_PC16:
    case R_X86_64_PC8:
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
    case R_X86_64_GOTPC32:
    case R_X86_64_GOTPC32_TLSDESC:
    case R_X86_64_GOTTPOFF:
    case R_X86_64_TLSGD:
    case R_X86_64_TLSLD:
      return true;
    default:
      return false;
  }
}

std::uint32_t field_size(machine target, std::uint32_t type) {
  if (target == machine::aarch64) {
    if (type == R_AARCH64_ABS64 || type == R_AARCH64_PREL64) return 8;
    return type == R_AARCH64_ABS16 || type == R_AARCH64_PREL16 ? 2 : 4;
  }
  switch (type) {
    case R_X86_64_64:
    case R_X86_64_PC64:
    case R_X86_64_DTPOFF64:
    case R_X86_64_TPOFF64:
    case R_X86_64_GOTOFF64:
    case R_X86_64_GOTPC64:
    case R_X86_64_SIZE64:
      return 8;
    case R_X86_64_16:
    case R_X86_64_PC16:
      return 2;
    case R_X86_64_8:
    case R_X86_64_PC8:
      return 1;
    case R_X86_64_NONE:
    case R_X86_64_TLSDESC_CALL:
      return 0;
    default:
      return 4;
  }
}

bool is_known_relocation(machine target, std::uint32_t type) {
  return target == machine::x86_64 ? type < R_X86_64_NUM : type == R_AARCH64_NONE || (type >= 257 && type <= 573);
}

}  // namespace morph::object
