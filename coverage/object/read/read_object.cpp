// From the bytes of an object to its print.
#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "coverage/object/read/blocks.hpp"
#include "coverage/object/read/cut_object.hpp"
#include "coverage/object/read/exception_tables.hpp"
#include "coverage/object/read/initializer_steps.hpp"
#include "coverage/object/read/object_print.hpp"
#include "coverage/object/read/references.hpp"
#include "coverage/object/read/relocations.hpp"

namespace morph::object {
namespace {

tl::expected<void, std::string> check(const elf_object& object, std::string_view path, std::size_t file_size) {
  // Names may lie over each other in the file, and would take more memory than it.
  std::uint64_t names = 0;
  for (const elf_symbol& symbol : object.symbols) names += symbol.name.size();
  if (names > 4 * std::uint64_t{file_size} + 65536)
    return tl::unexpected(fmt::format("'{}' is damaged: its names lie over each other; build it again", path));
  for (const elf_section& section : object.sections)
    for (const relocation& r : section.relocations)
      if (!is_known_relocation(object.target, r.type))
        return tl::unexpected(
            fmt::format("the code of '{}' cannot be compared: its relocations of type {} are unknown", path, r.type));
  return {};
}

bool is_list_name(std::string_view section) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !section.empty() && letter(section[0]) &&
         std::all_of(section.begin(), section.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

class printer {
 public:
  printer(elf_object& object, decoder& decode, const std::vector<std::string>& roots, detail how)
      : object_(object),
        decode_(decode),
        roots_(roots),
        how_(how),
        cut_(cut(object, decode)),
        references_(cut_, roots, print_) {}

  object_print print();

 private:
  void add_atoms();
  void hash(const piece& p);
  void hash_bytes(const piece& p, atom& to, const digest& references);
  void hash_exceptions(const piece& p, atom& to, std::vector<std::uint32_t>& references);
  void add_startup(std::uint32_t index);
  void add_definitions();

  elf_object& object_;
  decoder& decode_;
  const std::vector<std::string>& roots_;
  detail how_;
  cut_object cut_;
  exception_tables exceptions_;
  object_print print_;
  reference_writer references_;
  std::string scratch_;
  digest_writer described_;        // of one piece
  std::vector<std::uint32_t> to_;  // of one piece: what it refers to
};

void printer::add_atoms() {
  print_.atoms.reserve(cut_.pieces.size());
  for (piece& p : cut_.pieces) {
    const elf_section& of = cut_.section(p);
    atom made;
    made.kind = p.function ? atom_kind::function : atom_kind::data;
    const elf_symbol* const symbol = cut_.named(p);
    if (symbol == nullptr || symbol->local) made.flags |= atom::local;
    if (of.writable()) made.flags |= atom::writable;
    if (of.name == ".init" || of.name == ".fini") made.flags |= atom::unconditional;
    if (symbol != nullptr) {
      made.name = references_.name_of_symbol(p.symbol);
    } else if (p.function) {
      made.flags |= atom::unnamed | atom::unconditional;
      made.name = print_.names.add(fmt::format("{}+{}", of.name, p.begin));
    }
    if (of.group != none) made.group = print_.names.add(object_.groups[of.group]);
    if (is_list_name(of.name)) made.list = print_.names.add(of.name), made.flags |= atom::lasting;
    p.atom = static_cast<std::uint32_t>(print_.atoms.size());
    print_.atoms.push_back(made);
  }
}

void printer::hash_bytes(const piece& p, atom& to, const digest& references) {
  const elf_section& of = cut_.section(p);
  scratch_.clear();
  if (of.type != SHT_NOBITS) scratch_ = of.bytes.substr(p.begin, p.end - p.begin);
  const elf_symbol* const symbol = cut_.named(p);
  const auto [first, end] = cut_.relocations_in(p.section, p.begin, p.end);
  if (cut_.tests.numbers && symbol != nullptr && symbol->name.starts_with("_ZTS"))
    scratch_ = cut_.tests.numbers->renamed(scratch_);
  if (!p.function && first == end && !roots_.empty()) scratch_ = references_.without_roots(scratch_);
  digest_writer& tail = described_;
  tail.clear();
  tail.number(of.type != SHT_NOBITS ? scratch_.size() : p.end - p.begin);
  if (!p.function) tail.number(cut_.alignment_of(p));
  tail.number((of.writable() ? 1U : 0U) | (of.thread_local_data() ? 2U : 0U) | (p.function ? 4U : 0U));
  tail.add(references);
  const digest last = tail.finish();
  const std::size_t size = scratch_.size();
  scratch_.append(reinterpret_cast<const char*>(&last), sizeof last);
  const auto clear = [&](std::uint64_t offset, std::uint64_t count) {
    const std::uint64_t at = offset - p.begin;
    if (at < size) std::memset(scratch_.data() + at, 0, std::min(count, size - at));
  };
  // Of AArch64's instructions only the operand is relocated, and it is zero.
  if (!p.function || object_.target == machine::x86_64)
    for (std::size_t i = first; i < end; ++i)
      clear(of.relocations[i].offset, field_size(object_.target, of.relocations[i].type));
  const cut_section& work = cut_.sections[p.section];
  const auto from = [&](const auto& all, const auto& offset_of) {
    return std::lower_bound(all.begin(), all.end(), p.begin,
                            [&](const auto& value, std::uint64_t offset) { return offset_of(value) < offset; });
  };
  const auto offset_of_branch = [](const branch& b) { return b.offset; };
  for (auto b = from(work.branches, offset_of_branch); b != work.branches.end() && b->offset < p.end; ++b)
    clear(b->offset, b->size);
  to.content = to.relaxed = digest_of(scratch_);
  if (work.constants.empty()) return;
  const auto itself = [](std::uint64_t offset) { return offset; };
  auto c = from(work.constants, itself);
  if (c == work.constants.end() || *c >= p.end) return;
  to.constants.first = static_cast<std::uint32_t>(print_.constants.size());
  for (; c != work.constants.end() && *c < p.end; ++c, ++to.constants.count) {
    std::uint32_t word;
    char* const at = scratch_.data() + (*c - p.begin);
    std::memcpy(&word, at, sizeof word);
    const std::uint32_t mask = object_.target == machine::x86_64 ? ~0U : 0xffffU << 5;
    print_.constants.push_back(object_.target == machine::x86_64 ? word : (word & mask) >> 5);
    word &= ~mask;
    std::memcpy(at, &word, sizeof word);
  }
  to.relaxed = digest_of(scratch_);
}

void printer::hash_exceptions(const piece& p, atom& to, std::vector<std::uint32_t>& references) {
  const auto found = exceptions_.find({p.section, p.begin});
  if (found == exceptions_.end()) return;
  const auto& [index, begin, end] = found->second;
  const elf_section& of = object_.sections[index];
  if (begin >= end || end > of.bytes.size()) return;
  std::string bytes(of.bytes.substr(begin, end - begin));
  digest_writer all;
  const auto [first, last] = cut_.relocations_in(index, begin, end);
  for (std::size_t i = first; i < last; ++i) {
    const relocation& r = of.relocations[i];
    const std::uint64_t at = r.offset - begin;
    const std::uint32_t size = field_size(object_.target, r.type);
    for (std::uint64_t k = at; k < at + size && k < bytes.size(); ++k) bytes[k] = 0;
    all.number(at);
    all.number(r.type);
    references_.describe(index, i, r.offset, all, references);
  }
  // Padding before the next table.
  while (!bytes.empty() && bytes.back() == 0) bytes.pop_back();
  all.text(bytes);
  to.exceptions = all.finish();
}

void printer::hash(const piece& p) {
  digest_writer& all = described_;
  std::vector<std::uint32_t>& references = to_;
  all.clear();
  references.clear();
  const elf_section& of = cut_.section(p);
  const auto [first, last] = cut_.relocations_in(p.section, p.begin, p.end);
  const std::vector<branch>& branches = cut_.sections[p.section].branches;
  auto b = std::lower_bound(branches.begin(), branches.end(), p.begin,
                            [](const branch& one, std::uint64_t offset) { return one.offset < offset; });
  const auto add_branches = [&](std::uint64_t until) {
    for (; p.function && b != branches.end() && b->offset < until; ++b) {
      all.number(b->offset - p.begin);
      references_.describe_place(p.section, b->to, false, all, references);
    }
  };
  for (std::size_t i = first; i < last; ++i) {
    add_branches(of.relocations[i].offset);
    all.number(of.relocations[i].offset - p.begin);
    all.number(of.relocations[i].type);
    references_.describe(p.section, i, p.begin, all, references);
  }
  add_branches(p.end);
  atom made = print_.atoms[p.atom];
  if (p.runs_on)
    if (const piece* const next = cut_.piece_at(p.section, p.end); next != nullptr && next->begin == p.end)
      references.push_back(next->atom);
  hash_bytes(p, made, all.finish());
  if (p.function) hash_exceptions(p, made, references);
  made.references = references_.keep(references);
  print_.atoms[p.atom] = made;
}

void printer::add_startup(std::uint32_t index) {
  const elf_section& of = object_.sections[index];
  atom made;
  made.kind = atom_kind::startup;
  made.flags = atom::local | atom::unnamed;
  made.name = print_.names.add(of.name);
  if (of.group != none) made.group = print_.names.add(object_.groups[of.group]);
  digest_writer all;
  std::vector<std::uint32_t> references;
  for (std::size_t i = 0; i < of.relocations.size(); ++i) references_.describe(index, i, 0, all, references);
  made.content = made.relaxed = all.finish();
  made.references = references_.keep(references);
  print_.atoms.push_back(made);
}

void printer::add_definitions() {
  const auto binding_of = [](const elf_symbol& symbol) {
    if (symbol.local) return strength::local;
    if (symbol.place == symbol_place::common) return strength::common;
    return symbol.weak ? strength::weak : strength::strong;
  };
  const auto visibility_of = [](const elf_symbol& symbol) {
    if (symbol.visibility == STV_DEFAULT) return visibility::usual;
    return symbol.visibility == STV_PROTECTED ? visibility::fixed : visibility::hidden;
  };
  const auto define = [&](std::uint32_t i, std::uint32_t of) {
    const elf_symbol& symbol = object_.symbols[i];
    print_.definitions.push_back({references_.name_of_symbol(i), of, binding_of(symbol), visibility_of(symbol)});
  };
  for (std::uint32_t i = 1; i < object_.symbols.size(); ++i) {
    const elf_symbol& symbol = object_.symbols[i];
    if (symbol.name.empty()) continue;
    if (symbol.place == symbol_place::undefined) {
      print_.wanted.push_back({references_.name_of_symbol(i), symbol.weak, visibility_of(symbol)});
    } else if (symbol.place == symbol_place::common || (symbol.place == symbol_place::absolute && !symbol.local)) {
      atom made;
      made.name = references_.name_of_symbol(i);
      made.flags = symbol.place == symbol_place::common ? atom::writable : std::uint8_t{0};
      digest_writer all;
      if (symbol.place == symbol_place::common) all.number(symbol.size);
      all.number(symbol.value);  // of a common one the alignment
      made.content = made.relaxed = all.finish();
      print_.atoms.push_back(made);
      define(i, static_cast<std::uint32_t>(print_.atoms.size() - 1));
    }
  }
  for (std::uint32_t s = 0; s < cut_.sections.size(); ++s)
    for (const std::uint32_t i : cut_.sections[s].symbols) {
      const piece* const p = cut_.piece_at(s, object_.symbols[i].value);
      if (p == nullptr) continue;
      define(i, p->atom);
      if (object_.symbols[i].type == STT_GNU_IFUNC) print_.atoms[p->atom].flags |= atom::unconditional;
    }
}

object_print printer::print() {
  print_.target = object_.target;
  add_atoms();
  exceptions_ = find_exception_tables(object_);
  for (const piece& p : cut_.pieces) hash(p);
  for (std::uint32_t i = 0; i < object_.sections.size(); ++i)
    if (use_of(object_.sections[i]) == section_use::startup) add_startup(i);
  add_definitions();
  take_initializers_apart(cut_, exceptions_, references_, decode_, print_);
  if (how_ == detail::blocks) add_blocks(cut_, exceptions_, references_, decode_, print_);
  references_.close();
  std::sort(print_.compiled.begin(), print_.compiled.end());
  print_.names.close();
  return std::move(print_);
}

}  // namespace

struct object_reader::tables {
  std::array<std::optional<decoder>, 2> decoders;
};

object_reader::object_reader(std::vector<std::string> roots, detail how)
    : roots_(std::move(roots)), how_(how), tables_(std::make_unique<tables>()) {}
object_reader::~object_reader() = default;

tl::expected<object_print, std::string> object_reader::read(std::string_view bytes, std::string_view path) {
  auto object = read_elf(bytes, path);
  if (!object) return tl::unexpected(object.error());
  if (const auto done = check(*object, path, bytes.size()); !done) return tl::unexpected(done.error());
  auto& decode = tables_->decoders[static_cast<std::size_t>(object->target)];
  if (!decode) decode.emplace(object->target);
  return printer(*object, *decode, roots_, how_).print();
}

}  // namespace morph::object
