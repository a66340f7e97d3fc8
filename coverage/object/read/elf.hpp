// What a relocatable ELF file holds, checked: nothing that is found here points out of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace morph::object {

enum class machine : std::uint8_t { x86_64, aarch64 };

struct relocation {
  std::uint64_t offset;
  std::uint32_t type;
  std::uint32_t symbol;  // an index that exists
  std::int64_t addend;
};

constexpr std::uint32_t none = ~std::uint32_t{0};

struct elf_section {
  std::string_view name;
  std::string_view bytes;  // none of a section that takes no room in the file
  std::uint64_t size = 0;
  std::uint64_t flags = 0;
  std::uint64_t entry_size = 0;
  std::uint64_t alignment = 0;
  std::uint32_t type = 0;
  std::uint32_t group = none;           // an index into elf_object::groups
  std::vector<relocation> relocations;  // of allocated sections; sorted by offset

  bool allocated() const;
  bool code() const;
  bool writable() const;
  bool thread_local_data() const;
  /// Strings or constants that the linker merges by their content.
  bool merged() const;
};

enum class symbol_place : std::uint8_t { undefined, section, common, absolute };

struct elf_symbol {
  std::string_view name;
  std::uint64_t value = 0;
  std::uint64_t size = 0;
  std::uint32_t section = none;  // an index that exists, if the place is a section
  std::uint8_t type = 0;         // STT_*
  std::uint8_t visibility = 0;   // STV_*
  symbol_place place = symbol_place::undefined;
  bool local = false;
  bool weak = false;
};

struct elf_object {
  machine target = machine::x86_64;
  std::vector<elf_section> sections;
  std::vector<elf_symbol> symbols;
  std::vector<std::string_view> groups;  // signatures of COMDAT groups
};

/// Views into `bytes`. An error says what is not supported, or damaged; `path` is for messages.
tl::expected<elf_object, std::string> read_elf(std::string_view bytes, std::string_view path);

}  // namespace morph::object
