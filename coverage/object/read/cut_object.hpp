// An object cut into the pieces that are compared: functions, variables, constants without names.
#pragma once

#include <cstdint>
#include <deque>
#include <string_view>
#include <utility>
#include <vector>

#include "coverage/object/read/decoder.hpp"
#include "coverage/object/read/elf.hpp"
#include "coverage/object/read/test_names.hpp"

namespace morph::object {

/// A part of a section that becomes an atom.
struct piece {
  std::uint32_t section = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint32_t symbol = none;  // that names it
  std::uint32_t atom = none;
  bool function = false;
  bool runs_on = false;      // into the next one: a label without a size
  bool text = false;         // a string without a name
  bool jumps = false;        // a table of a switch without a name
  std::uint32_t run = none;  // the atom that stands for it and all constants without names behind it
};

/// What the instruction around a relocation says of it.
struct site {
  std::int8_t to_end = 0;  // from the relocated field to the end of the instruction, if that is where it counts from
  bool direct = false;
};

/// Of an instruction that goes out of its function, without a relocation.
struct branch {
  std::uint64_t offset;
  std::uint32_t size;
  std::uint64_t to;
};

struct cut_section {
  std::vector<std::uint32_t> symbols;    // by value
  std::vector<piece*> pieces;            // by place
  std::vector<site> sites;               // one a relocation
  std::vector<branch> branches;          // that no relocation tells of; by offset
  std::vector<std::uint64_t> constants;  // where instructions hold one; by offset
  std::vector<std::uint64_t> cuts;
};

/// What a section is for: it becomes atoms, lists what runs at the start, or is about others and is read with them.
enum class section_use : std::uint8_t { normal, startup, skipped };
section_use use_of(const elf_section& section);

/// Places are offsets in sections, which are numbered as in the object.
struct cut_object {
  explicit cut_object(elf_object& of) : object(of), sections(of.sections.size()) {}

  const elf_section& section(const piece& p) const { return object.sections[p.section]; }
  const elf_symbol* named(const piece& p) const { return p.symbol == none ? nullptr : &object.symbols[p.symbol]; }
  /// The one that begins there, or is the last to begin before; none if none does.
  const piece* piece_at(std::uint32_t section, std::uint64_t offset) const;
  std::pair<std::size_t, std::size_t> relocations_in(std::uint32_t section, std::uint64_t begin,
                                                     std::uint64_t end) const;
  /// How far behind its symbol a relocation leads: the addends of some count from the end of the instruction.
  std::uint64_t exact_addend(std::uint32_t section, std::size_t relocation) const;
  /// In a section of its own that of the section; in others only what no neighbour gives it by chance, else 0:
  /// compilers align large variables to 32 bytes themselves.
  std::uint64_t alignment_of(const piece& p) const;
  /// The name of what is exactly there.
  std::string_view symbol_at(std::uint32_t section, std::uint64_t offset) const;
  /// The name, and the string if there is a readable one.
  registering_reference reference_to(std::uint32_t section, std::uint64_t offset) const;

  elf_object& object;
  std::vector<cut_section> sections;
  std::deque<piece> pieces;
  test_names tests;
  std::string_view source;  // its name
};

/// Gives tests names without numbers, in the object's symbols.
cut_object cut(elf_object& object, decoder& decode);

}  // namespace morph::object
