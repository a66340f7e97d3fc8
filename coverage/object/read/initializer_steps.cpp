// From functions that run before main() to steps and what they refer to.
#include "coverage/object/read/initializer_steps.hpp"

#include <elf.h>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "coverage/object/read/initializers.hpp"

namespace morph::object {
namespace {

class step_reader {
 public:
  step_reader(const cut_object& cut, const exception_tables& exceptions, reference_writer& references, decoder& decode,
              object_print& print)
      : cut_(cut), exceptions_(exceptions), references_(references), decode_(decode), print_(print) {}

  void take_apart();

 private:
  struct spelled {
    std::string text;
    bool stores = false;
  };
  const spelled& spell(std::string_view code, bool relocated);
  initializer_function steps_of(const piece& p, const std::map<std::uint32_t, std::uint32_t>& functions);

  const cut_object& cut_;
  const exception_tables& exceptions_;
  reference_writer& references_;
  decoder& decode_;
  object_print& print_;
  std::array<std::unordered_map<std::string_view, spelled>, 2> spelled_;  // instructions, by bytes; relocated ones
};

// Initializers of tests repeat themselves.
const step_reader::spelled& step_reader::spell(std::string_view code, bool relocated) {
  const auto [at, is_new] = spelled_[relocated ? 1 : 0].try_emplace(code);
  if (is_new) at->second = {decode_.canonical(relocated), decode_.stores()};
  return at->second;
}

initializer_function step_reader::steps_of(const piece& p, const std::map<std::uint32_t, std::uint32_t>& functions) {
  const elf_section& of = cut_.section(p);
  initializer_function made;
  made.begin = p.begin;
  std::size_t next = cut_.relocations_in(p.section, p.begin, p.end).first;
  for (std::uint64_t at = p.begin; at < p.end;) {
    const instruction one = decode_.decode(of.bytes.substr(at, p.end - at), at);
    step& s = made.steps.emplace_back();
    s.address = at;
    s.size = one.size;
    s.control = decode_.control();
    const bool direct = decode_.is_direct();
    const std::string_view code = of.bytes.substr(at, one.size);
    const std::size_t first = next;
    while (next < of.relocations.size() && of.relocations[next].offset < at + one.size) ++next;
    std::optional<code_target> target;
    if (first == next) target = decode_.target();
    const spelled& words = spell(code, first != next);
    s.text = words.text;
    if (one.has_constant && first == next) s.constant = one.constant;
    const auto refer = [&](auto&& description) {
      step_reference& r = s.refers.emplace_back();
      digest_writer all;
      description(all, r.references);
      r.identity = all.finish();
      if (r.references.empty()) return;
      const std::uint32_t to = r.references[0];
      if ((to & by_name) != 0) {
        r.name = print_.names[to & ~by_name];
      } else {
        if (print_.atoms[to].name != none) r.name = print_.names[print_.atoms[to].name];
        if (const auto called = functions.find(to); called != functions.end()) r.calls = called->second;
      }
    };
    for (std::size_t i = first; i < next; ++i)
      refer([&](digest_writer& all, auto& references) {
        all.number(of.relocations[i].type);
        references_.describe(p.section, i, p.begin, all, references);
      });
    for (std::size_t i = first; i < next; ++i) {
      const elf_symbol& to = cut_.object.symbols[of.relocations[i].symbol];
      if (to.place != symbol_place::section || (!to.local && to.type != STT_SECTION)) continue;
      const elf_section& in = cut_.object.sections[to.section];
      const std::uint64_t place = to.value + cut_.exact_addend(p.section, i);
      if (in.code() || in.writable() || place >= in.bytes.size() || !cut_.symbol_at(to.section, place).empty())
        continue;
      s.refers[i - first].is_ambient = is_ambient(cut_.reference_to(to.section, place).text, cut_.source);
    }
    if (target && (target->address < p.begin || target->address >= p.end))
      refer([&](digest_writer& all, auto& references) {
        references_.describe_place(p.section, target->address, false, all, references);
      });
    else if (target)
      s.target = target->address;
    if (words.stores)
      for (step_reference& r : s.refers) r.stored = direct || cut_.object.target == machine::aarch64;
    at += one.size;
  }
  return made;
}

void step_reader::take_apart() {
  std::map<std::uint32_t, std::uint32_t> numbers;
  std::vector<const piece*> found;
  for (const piece& p : cut_.pieces) {
    const elf_symbol* const symbol = cut_.named(p);
    if (!p.function || symbol == nullptr || !is_initializer_name(symbol->name)) continue;
    if (const auto table = exceptions_.find({p.section, p.begin});
        table != exceptions_.end() && catches(cut_.object, table->second))
      return;
    numbers.emplace(p.atom, static_cast<std::uint32_t>(found.size()));
    found.push_back(&p);
  }
  std::vector<std::uint32_t> roots;
  for (const atom& a : print_.atoms) {
    if (a.kind != atom_kind::startup) continue;
    for (std::uint32_t i = 0; i < a.references.count; ++i) {
      const auto called = numbers.find(print_.references[a.references.first + i]);
      if (called == numbers.end()) continue;
      // What belongs to a COMDAT group runs once for all objects.
      if (a.group != none) return;
      roots.push_back(called->second);
    }
  }
  std::vector<initializer_function> functions;
  for (const piece* const p : found) functions.push_back(steps_of(*p, numbers));
  initializer_row row = object::take_apart(functions, roots, print_);
  print_.segments = std::move(row.segments);
  for (const std::uint32_t i : row.functions) print_.atoms[found[i]->atom].flags |= atom::initializer;
  if (print_.segments.empty()) return;
  // What only exceptions lead to ends the program before main().
  for (const piece* const p : found)
    if (cut_.named(*p)->name.ends_with(".cold") &&
        !std::binary_search(row.referred.begin(), row.referred.end(), p->atom))
      print_.atoms[p->atom].flags |= atom::initializer;
}

}  // namespace

void take_initializers_apart(const cut_object& cut, const exception_tables& exceptions, reference_writer& references,
                             decoder& decode, object_print& print) {
  step_reader(cut, exceptions, references, decode, print).take_apart();
}

}  // namespace morph::object
