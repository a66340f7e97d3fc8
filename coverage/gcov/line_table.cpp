// ELF sections, and the line number programs of DWARF.
#include "coverage/gcov/line_table.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "coverage/gcov/bytes.hpp"

namespace morph::gcov {
namespace {

enum standard_opcode : std::uint8_t { extended = 0, copy = 1, advance_line = 3, set_file = 4, fixed_advance_pc = 9 };
constexpr std::uint8_t end_sequence = 1;

std::string_view c_string(byte_reader& in, std::string_view all) {
  const std::string_view left = all.substr(in.offset());
  const std::string_view text = left.substr(0, left.find('\0'));
  in.take(text.size() + 1);
  return text;
}

std::int64_t signed_varint(byte_reader& in) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint64_t byte = in.u8();
    value |= (byte & 0x7f) << shift;
    if ((byte & 0x80) != 0) continue;
    if ((byte & 0x40) != 0 && shift + 7 < 64) value |= ~std::uint64_t{0} << (shift + 7);
    break;
  }
  return static_cast<std::int64_t>(value);
}

std::uint16_t u16(byte_reader& in) {
  const std::uint16_t low = in.u8();
  return static_cast<std::uint16_t>(low | in.u8() << 8);
}

class table_parser {
 public:
  explicit table_parser(std::string_view path) : path_(path) {}

  tl::expected<line_table, std::string> parse(std::string_view object);

 private:
  using status = tl::expected<void, std::string>;

  tl::unexpected<std::string> damaged(std::string_view what) const {
    return tl::unexpected(fmt::format("the line table of '{}' cannot be read: {}; rebuild the twin", path_, what));
  }
  status section(std::string_view bytes);
  status program(std::string_view bytes);

  std::string_view path_;
  line_table table_;
};

tl::expected<line_table, std::string> table_parser::parse(std::string_view object) {
  Elf64_Ehdr head;
  if (object.size() < sizeof head) return damaged("it is no object file");
  std::memcpy(&head, object.data(), sizeof head);
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 ||
      head.e_ident[EI_DATA] != ELFDATA2LSB || head.e_shentsize != sizeof(Elf64_Shdr))
    return damaged("it is no object file of this kind of machine");
  const auto section_at = [&](std::uint64_t index, Elf64_Shdr& to) {
    if (head.e_shoff > object.size() || index >= (object.size() - head.e_shoff) / sizeof to) return false;
    std::memcpy(&to, object.data() + head.e_shoff + index * sizeof to, sizeof to);
    return true;
  };
  const auto contents = [&](const Elf64_Shdr& of) {
    const bool fits = of.sh_offset <= object.size() && of.sh_size <= object.size() - of.sh_offset;
    return fits ? object.substr(of.sh_offset, of.sh_size) : std::string_view();
  };
  // Numbers that do not fit stand in the first section's header.
  Elf64_Shdr first;
  if (!section_at(0, first)) return damaged("it has no sections");
  const std::uint64_t count = head.e_shnum != 0 ? head.e_shnum : first.sh_size;
  Elf64_Shdr names;
  if (!section_at(head.e_shstrndx != SHN_XINDEX ? head.e_shstrndx : first.sh_link, names))
    return damaged("its sections have no names");
  const std::string_view all_names = contents(names);
  bool found = false;
  for (std::uint64_t i = 1; i < count; ++i) {
    Elf64_Shdr section;
    if (!section_at(i, section)) return damaged("its sections are cut off");
    if (section.sh_name >= all_names.size()) continue;
    const std::string_view name = all_names.substr(section.sh_name);
    if (name.substr(0, name.find('\0')) != ".debug_line") continue;
    if ((section.sh_flags & SHF_COMPRESSED) != 0) return damaged("it is compressed (-gz)");
    if (const auto done = this->section(contents(section)); !done) return tl::unexpected(done.error());
    found = true;
  }
  if (!found) return damaged("there is none (-g0)");
  for (auto& [file, lines] : table_) {
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  }
  return std::move(table_);
}

table_parser::status table_parser::section(std::string_view bytes) {
  while (!bytes.empty()) {
    byte_reader in(bytes);
    const std::uint32_t length = in.u32();
    const std::string_view unit = in.take(length);
    if (in.failed()) return damaged("a unit is cut off");
    if (const auto done = program(unit); !done) return done;
    bytes.remove_prefix(in.offset());
  }
  return {};
}

table_parser::status table_parser::program(std::string_view bytes) {
  byte_reader in(bytes);
  const std::uint16_t version = u16(in);
  if (version < 2 || version > 4) return damaged(fmt::format("it is of DWARF {}", version));
  const std::uint32_t header_length = in.u32();
  const std::size_t begin = in.offset() + header_length;
  in.u8();                    // smallest instruction
  if (version >= 4) in.u8();  // operations an instruction
  in.u8();                    // whether rows begin as statements
  const auto line_base = static_cast<std::int8_t>(in.u8());
  const std::uint8_t line_range = in.u8();
  const std::uint8_t opcode_base = in.u8();
  const std::string_view operands = in.take(opcode_base == 0 ? 0 : opcode_base - 1U);
  if (in.failed() || line_range == 0 || opcode_base <= fixed_advance_pc) return damaged("a header is cut off");

  std::vector<std::string_view> folders{""};
  for (std::string_view folder; !(folder = c_string(in, bytes)).empty();) folders.push_back(folder);
  std::vector<std::vector<std::uint32_t>*> files{nullptr};
  for (std::string_view name; !(name = c_string(in, bytes)).empty();) {
    const std::uint64_t folder = in.varint();
    in.varint();  // time
    in.varint();  // size
    if (folder >= folders.size()) return damaged("a file of an unknown folder");
    const bool alone = folders[folder].empty() || name.front() == '/';
    files.push_back(&table_[alone ? std::string(name) : fmt::format("{}/{}", folders[folder], name)]);
  }
  if (in.failed() || begin < in.offset() || begin > bytes.size()) return damaged("a header is cut off");
  in.take(begin - in.offset());

  std::uint64_t file = 1;
  std::int64_t line = 1;
  const auto add_row = [&] {
    if (file >= files.size() || files[file] == nullptr || line <= 0 || line > 0xffffffff) return;
    auto& lines = *files[file];
    const auto number = static_cast<std::uint32_t>(line);
    if (lines.empty() || lines.back() != number) lines.push_back(number);
  };
  while (in.remaining() > 0) {
    const std::uint8_t opcode = in.u8();
    if (opcode >= opcode_base) {
      line += line_base + (opcode - opcode_base) % line_range;
      add_row();
    } else if (opcode == extended) {
      byte_reader operand(in.take(in.varint()));
      if (operand.u8() == end_sequence) file = 1, line = 1;
    } else if (opcode == copy) {
      add_row();
    } else if (opcode == advance_line) {
      line += std::clamp<std::int64_t>(signed_varint(in), -0xffffffffLL, 0xffffffffLL);
    } else if (opcode == set_file) {
      file = in.varint();
    } else if (opcode == fixed_advance_pc) {
      u16(in);
    } else {
      for (int i = 0; i < operands[opcode - 1U]; ++i) in.varint();
    }
    if (in.failed()) return damaged("a program is cut off");
    line = std::clamp<std::int64_t>(line, -0xffffffffLL, 0x1ffffffffLL);
  }
  return {};
}

}  // namespace

tl::expected<line_table, std::string> parse_line_table(std::string_view bytes, std::string_view path) {
  return table_parser(path).parse(bytes);
}

}  // namespace morph::gcov
