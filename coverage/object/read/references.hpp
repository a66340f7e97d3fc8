// What pieces of an object refer to: as bytes of a digest, and as numbers of atoms and names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "coverage/object/read/cut_object.hpp"
#include "coverage/object/read/object_print.hpp"

namespace morph::object {

/// Adds names and atoms to the print as references need them; every piece has its atom.
class reference_writer {
 public:
  reference_writer(cut_object& cut, const std::vector<std::string>& roots, object_print& print)
      : cut_(cut), roots_(roots), print_(print), symbol_names_(cut.object.symbols.size(), none) {}

  /// Of a symbol, in the print.
  std::uint32_t name_of_symbol(std::uint32_t index);
  /// `table`: where offsets within a table of a switch count from.
  void describe(std::uint32_t section, std::size_t relocation, std::uint64_t table, digest_writer& to,
                std::vector<std::uint32_t>& references);
  /// What is there. `direct`: nothing beside it is reached.
  void describe_place(std::uint32_t section, std::uint64_t offset, bool direct, digest_writer& to,
                      std::vector<std::uint32_t>& references);
  std::string without_roots(std::string_view text) const;
  /// In the print.
  range keep(const std::vector<std::uint32_t>& references);
  /// After all else: the atoms that stand for several get what they stand for.
  void close();

 private:
  void describe_constant(const elf_section& of, std::uint64_t offset, digest_writer& to) const;
  std::uint32_t run_from(std::size_t index, const std::vector<piece*>& pieces);

  cut_object& cut_;
  const std::vector<std::string>& roots_;
  object_print& print_;
  std::vector<std::uint32_t> symbol_names_;
  std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> runs_;  // atoms and what they stand for
};

}  // namespace morph::object
