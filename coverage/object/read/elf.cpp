// ELF by LLVM's reader, with the checks that it leaves to its callers.
#include "coverage/object/read/elf.hpp"

#include <fmt/format.h>
#include <llvm/Object/ELF.h>

#include <algorithm>

namespace morph::object {
namespace {

using namespace llvm::ELF;
using file = llvm::object::ELFFile<llvm::object::ELF64LE>;

constexpr std::uint32_t sht_crel = 0x40000014;

std::string_view view(llvm::StringRef text) {
  return {text.data(), text.size()};
}

class elf_reader {
 public:
  explicit elf_reader(std::string_view path) : path_(path) {}

  tl::expected<elf_object, std::string> read(std::string_view bytes);

 private:
  using status = tl::expected<void, std::string>;

  tl::unexpected<std::string> unsupported(std::string_view what) const {
    return tl::unexpected(fmt::format("the code of '{}' cannot be compared: {}", path_, what));
  }
  tl::unexpected<std::string> damaged(std::string_view what) const {
    return tl::unexpected(fmt::format("'{}' is damaged: {}; build it again", path_, what));
  }
  tl::unexpected<std::string> damaged(llvm::Error error) const { return damaged(llvm::toString(std::move(error))); }

  status check_head(std::string_view bytes);
  status read_sections(const file& in);
  status read_symbols(const file& in);
  status read_symbol(const file::Elf_Sym& from, std::size_t index, llvm::StringRef names,
                     llvm::ArrayRef<file::Elf_Word> extended);
  status read_group(const file& in, const file::Elf_Shdr& header);
  status read_relocations(const file& in, const file::Elf_Shdr& header);

  std::string_view path_;
  elf_object object_;
};

elf_reader::status elf_reader::check_head(std::string_view bytes) {
  if (bytes.starts_with("BC\xC0\xDE") || bytes.starts_with("\xDE\xC0\x17\x0B"))
    return unsupported("it is LLVM bitcode (-flto), which becomes code only in the linker");
  if (!bytes.starts_with("\x7f"
                         "ELF"))
    return unsupported("it is no ELF file");
  if (bytes.size() < sizeof(file::Elf_Ehdr)) return damaged("it is cut off in its header");
  if (bytes[EI_CLASS] != ELFCLASS64 || bytes[EI_DATA] != ELFDATA2LSB)
    return unsupported("it is not of a 64-bit little-endian machine");
  const auto& head = *reinterpret_cast<const file::Elf_Ehdr*>(bytes.data());
  if (head.e_type != ET_REL) return unsupported("it is linked; only relocatable objects (.o) tell their references");
  if (head.e_machine == EM_X86_64) {
    object_.target = machine::x86_64;
  } else if (head.e_machine == EM_AARCH64) {
    object_.target = machine::aarch64;
  } else {
    return unsupported(fmt::format("it is of ELF machine {}; x86-64 and AArch64 are known", unsigned{head.e_machine}));
  }
  return {};
}

elf_reader::status elf_reader::read_sections(const file& in) {
  auto headers = in.sections();
  if (!headers) return damaged(headers.takeError());
  auto names = in.getSectionStringTable(*headers);
  if (!names) return damaged(names.takeError());
  object_.sections.reserve(headers->size());
  for (const file::Elf_Shdr& header : *headers) {
    elf_section& section = object_.sections.emplace_back();
    auto name = in.getSectionName(header, *names);
    if (!name) return damaged(name.takeError());
    section.name = view(*name);
    section.size = header.sh_size;
    section.flags = header.sh_flags;
    section.entry_size = header.sh_entsize;
    section.alignment = header.sh_addralign;
    section.type = header.sh_type;
    if (section.name.starts_with(".gnu.lto_") || section.name.starts_with(".llvm.lto"))
      return unsupported("it was compiled with -flto, and becomes code only in the linker");
    if (!section.allocated() || section.type == SHT_NOBITS) continue;
    if ((section.flags & SHF_COMPRESSED) != 0) return unsupported("it has compressed code or data");
    auto bytes = in.getSectionContents(header);
    if (!bytes) return damaged(bytes.takeError());
    section.bytes = {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
  }
  return {};
}

elf_reader::status elf_reader::read_symbol(const file::Elf_Sym& from, std::size_t index, llvm::StringRef names,
                                           llvm::ArrayRef<file::Elf_Word> extended) {
  elf_symbol& symbol = object_.symbols.emplace_back();
  auto name = from.getName(names);
  if (!name) return damaged(name.takeError());
  symbol.name = view(*name);
  symbol.value = from.st_value;
  symbol.size = from.st_size;
  symbol.type = from.getType();
  symbol.visibility = from.getVisibility();
  symbol.local = from.getBinding() == STB_LOCAL;
  symbol.weak = from.getBinding() == STB_WEAK;
  std::uint32_t section = from.st_shndx;
  if (section == SHN_XINDEX) {
    if (index >= extended.size()) return damaged(fmt::format("symbol {} has no section", index));
    section = extended[index];
  } else if (section >= SHN_LORESERVE) {
    if (section == SHN_COMMON)
      symbol.place = symbol_place::common;
    else if (section == SHN_ABS)
      symbol.place = symbol_place::absolute;
    else
      return unsupported(fmt::format("'{}' is in the unknown section {}", symbol.name, section));
    return {};
  }
  if (section == SHN_UNDEF) return {};
  if (section >= object_.sections.size()) return damaged(fmt::format("'{}' is in no section", symbol.name));
  const elf_section& in = object_.sections[section];
  if (symbol.type != STT_TLS && symbol.value > in.size)
    return damaged(fmt::format("'{}' is out of its section", symbol.name));
  if (symbol.size > in.size || symbol.value > in.size - symbol.size)
    return damaged(fmt::format("'{}' does not end in its section", symbol.name));
  symbol.place = symbol_place::section;
  symbol.section = section;
  return {};
}

elf_reader::status elf_reader::read_symbols(const file& in) {
  const auto headers = llvm::cantFail(in.sections());
  const auto* table =
      std::find_if(headers.begin(), headers.end(), [](const auto& h) { return h.sh_type == SHT_SYMTAB; });
  if (table == headers.end()) {
    // Archives hold objects of sources that are empty on this machine.
    const bool has_code = std::any_of(object_.sections.begin(), object_.sections.end(), [](const elf_section& each) {
      return each.allocated() && each.size > 0 && each.type != SHT_NOTE;
    });
    return has_code ? unsupported("it has no symbols (stripped)") : status();
  }
  auto names = in.getStringTableForSymtab(*table);
  if (!names) return damaged(names.takeError());
  auto symbols = in.symbols(table);
  if (!symbols) return damaged(symbols.takeError());
  llvm::ArrayRef<file::Elf_Word> extended;
  for (const file::Elf_Shdr& header : headers) {
    if (header.sh_type != SHT_SYMTAB_SHNDX) continue;
    auto indices = in.getSHNDXTable(header);
    if (!indices) return damaged(indices.takeError());
    extended = *indices;
  }
  object_.symbols.reserve(symbols->size());
  for (std::size_t i = 0; i < symbols->size(); ++i)
    if (const auto done = read_symbol((*symbols)[i], i, *names, extended); !done) return done;
  return {};
}

elf_reader::status elf_reader::read_group(const file& in, const file::Elf_Shdr& header) {
  auto words = in.getSectionContentsAsArray<file::Elf_Word>(header);
  if (!words) return damaged(words.takeError());
  if (words->empty() || header.sh_info >= object_.symbols.size()) return damaged("a group of sections has no name");
  if (((*words)[0] & GRP_COMDAT) == 0) return {};
  const elf_symbol& signature = object_.symbols[header.sh_info];
  const bool by_section = signature.type == STT_SECTION && signature.section != none;
  object_.groups.push_back(by_section ? object_.sections[signature.section].name : signature.name);
  for (const auto member : words->drop_front()) {
    if (member >= object_.sections.size()) return damaged("a group has a section that does not exist");
    object_.sections[member].group = static_cast<std::uint32_t>(object_.groups.size() - 1);
  }
  return {};
}

elf_reader::status elf_reader::read_relocations(const file& in, const file::Elf_Shdr& header) {
  if (header.sh_info >= object_.sections.size()) return damaged("relocations of a section that does not exist");
  elf_section& section = object_.sections[header.sh_info];
  if (!section.allocated()) return {};
  if (header.sh_type != SHT_RELA) return unsupported("it has relocations of another kind than RELA");
  auto entries = in.relas(header);
  if (!entries) return damaged(entries.takeError());
  section.relocations.reserve(section.relocations.size() + entries->size());
  for (const file::Elf_Rela& entry : *entries) {
    const std::uint32_t symbol = entry.getSymbol(false);
    if (symbol >= object_.symbols.size()) return damaged("a relocation has a symbol that does not exist");
    if (entry.r_offset >= section.size) return damaged("a relocation is out of its section");
    section.relocations.push_back({entry.r_offset, entry.getType(false), symbol, entry.r_addend});
  }
  constexpr auto by_offset = [](const relocation& a, const relocation& b) { return a.offset < b.offset; };
  if (!std::is_sorted(section.relocations.begin(), section.relocations.end(), by_offset))
    std::stable_sort(section.relocations.begin(), section.relocations.end(), by_offset);
  return {};
}

tl::expected<elf_object, std::string> elf_reader::read(std::string_view bytes) {
  if (const auto done = check_head(bytes); !done) return tl::unexpected(done.error());
  auto in = file::create({bytes.data(), bytes.size()});
  if (!in) return damaged(in.takeError());
  if (const auto done = read_sections(*in); !done) return tl::unexpected(done.error());
  if (const auto done = read_symbols(*in); !done) return tl::unexpected(done.error());
  const auto headers = llvm::cantFail(in->sections());
  for (const file::Elf_Shdr& header : headers) {
    status done;
    switch (header.sh_type) {
      case SHT_GROUP:
        done = read_group(*in, header);
        break;
      case SHT_RELA:
      case SHT_REL:
      case SHT_RELR:
      case sht_crel:
        done = read_relocations(*in, header);
    }
    if (!done) return tl::unexpected(done.error());
  }
  const bool slim = std::any_of(object_.symbols.begin(), object_.symbols.end(),
                                [](const elf_symbol& s) { return s.name == "__gnu_lto_slim"; });
  if (slim) return unsupported("it was compiled with -flto, and becomes code only in the linker");
  return std::move(object_);
}

}  // namespace

bool elf_section::allocated() const {
  return (flags & SHF_ALLOC) != 0;
}
bool elf_section::code() const {
  return (flags & SHF_EXECINSTR) != 0;
}
bool elf_section::writable() const {
  return (flags & SHF_WRITE) != 0 && !name.starts_with(".data.rel.ro");
}
bool elf_section::thread_local_data() const {
  return (flags & SHF_TLS) != 0;
}
bool elf_section::merged() const {
  return (flags & SHF_MERGE) != 0 && relocations.empty() && type != SHT_NOBITS;
}

tl::expected<elf_object, std::string> read_elf(std::string_view bytes, std::string_view path) {
  return elf_reader(path).read(bytes);
}

}  // namespace morph::object
