// The sections of an ELF file that is no object.
#include "coverage/object/read/linked_digest.hpp"

#include <elf.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace morph::object {
namespace {

template <typename Header>
std::optional<Header> header_at(std::string_view bytes, std::uint64_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(Header)) return {};
  Header header;
  std::memcpy(&header, bytes.data() + at, sizeof header);
  return header;
}

bool is_of_no_effect(const Elf64_Shdr& section, std::string_view name) {
  static constexpr std::array<std::string_view, 7> prefixes{
      ".debug", ".zdebug", ".gnu_debug", ".gdb_index", ".comment", ".note.gnu.build-id", ".stab"};
  static constexpr std::array<std::string_view, 2> names{".strtab", ".shstrtab"};
  return section.sh_type == SHT_SYMTAB || std::find(names.begin(), names.end(), name) != names.end() ||
         std::any_of(prefixes.begin(), prefixes.end(), [&](auto prefix) { return name.starts_with(prefix); });
}

}  // namespace

digest digest_of_linked(std::string_view bytes) {
  const auto file = header_at<Elf64_Ehdr>(bytes, 0);
  const bool is_elf = file && std::memcmp(file->e_ident, ELFMAG, SELFMAG) == 0 &&
                      file->e_ident[EI_CLASS] == ELFCLASS64 && file->e_ident[EI_DATA] == ELFDATA2LSB &&
                      file->e_shentsize == sizeof(Elf64_Shdr) && file->e_shnum != 0;
  if (!is_elf) return digest_of(bytes);
  std::vector<Elf64_Shdr> sections;
  for (std::uint32_t i = 0; i < file->e_shnum; ++i) {
    const auto section = header_at<Elf64_Shdr>(bytes, file->e_shoff + std::uint64_t{i} * sizeof(Elf64_Shdr));
    if (!section) return digest_of(bytes);
    sections.push_back(*section);
  }
  const auto part = [&](std::uint64_t at, std::uint64_t size) -> std::optional<std::string_view> {
    if (at > bytes.size() || bytes.size() - at < size) return {};
    return bytes.substr(at, size);
  };
  if (file->e_shstrndx >= sections.size()) return digest_of(bytes);
  const auto names = part(sections[file->e_shstrndx].sh_offset, sections[file->e_shstrndx].sh_size);
  if (!names) return digest_of(bytes);

  digest_writer all;
  all.number(file->e_type);
  all.number(file->e_machine);
  std::uint64_t end = file->e_shoff + sections.size() * sizeof(Elf64_Shdr);
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type == SHT_NULL) continue;
    if (section.sh_name >= names->size()) return digest_of(bytes);
    const std::string_view name = names->substr(section.sh_name, names->find('\0', section.sh_name) - section.sh_name);
    const bool takes_room = section.sh_type != SHT_NOBITS;
    const auto content = takes_room ? part(section.sh_offset, section.sh_size) : std::string_view();
    if (!content) return digest_of(bytes);
    if (takes_room) end = std::max(end, section.sh_offset + section.sh_size);
    if (is_of_no_effect(section, name)) continue;
    all.text(name);
    all.number(section.sh_flags);
    all.number(section.sh_size);
    all.add(digest_of(*content));
  }
  all.text(bytes.substr(std::min<std::uint64_t>(end, bytes.size())));
  return all.finish();
}

}  // namespace morph::object
