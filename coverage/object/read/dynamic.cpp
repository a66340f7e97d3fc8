// Dynamic symbols and tags by LLVM's reader.
#include "coverage/object/read/dynamic.hpp"

#include <fmt/format.h>
#include <llvm/Object/ELF.h>

namespace morph::object {
namespace {

using namespace llvm::ELF;
using file = llvm::object::ELFFile<llvm::object::ELF64LE>;

void add_paths(std::vector<std::string>& to, llvm::StringRef list) {
  llvm::SmallVector<llvm::StringRef> parts;
  list.split(parts, ':', -1, false);
  for (const llvm::StringRef part : parts) to.push_back(part.str());
}

}  // namespace

tl::expected<dynamic_part, std::string> read_dynamic(std::string_view bytes, std::string_view path) {
  const auto damaged = [&](llvm::Error error) {
    return tl::unexpected(fmt::format("'{}' is damaged: {}", path, llvm::toString(std::move(error))));
  };
  if (bytes.size() < sizeof(file::Elf_Ehdr) || !bytes.starts_with("\x7f"
                                                                  "ELF\x02\x01"))
    return tl::unexpected(fmt::format("'{}' is no 64-bit little-endian ELF file", path));
  auto in = file::create({bytes.data(), bytes.size()});
  if (!in) return damaged(in.takeError());
  auto sections = in->sections();
  if (!sections) return damaged(sections.takeError());
  dynamic_part found;
  found.is_static = true;
  for (const file::Elf_Shdr& section : *sections) {
    if (section.sh_type == SHT_DYNSYM) {
      auto names = in->getStringTableForSymtab(section);
      if (!names) return damaged(names.takeError());
      auto symbols = in->symbols(&section);
      if (!symbols) return damaged(symbols.takeError());
      for (const file::Elf_Sym& symbol : *symbols) {
        auto name = symbol.getName(*names);
        if (!name) return damaged(name.takeError());
        if (!name->empty()) (symbol.isUndefined() ? found.wanted : found.defined).insert(name->str());
      }
    } else if (section.sh_type == SHT_DYNAMIC) {
      found.is_static = false;
      auto strings = in->getSection(section.sh_link);
      if (!strings) return damaged(strings.takeError());
      auto table = in->getStringTable(**strings);
      if (!table) return damaged(table.takeError());
      auto tags = in->getSectionContentsAsArray<file::Elf_Dyn>(section);
      if (!tags) return damaged(tags.takeError());
      for (const file::Elf_Dyn& tag : *tags) {
        const auto kind = tag.getTag();
        if (kind != DT_NEEDED && kind != DT_RUNPATH && kind != DT_RPATH) continue;
        if (tag.getVal() >= table->size())
          return tl::unexpected(fmt::format("'{}' is damaged: a tag has no name", path));
        const llvm::StringRef text = table->data() + tag.getVal();
        if (kind == DT_NEEDED)
          found.needed.push_back(text.str());
        else
          add_paths(found.paths, text);
      }
    }
  }
  return found;
}

}  // namespace morph::object
