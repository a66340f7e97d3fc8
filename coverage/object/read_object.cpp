// From the bytes of an object to its print.
#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "coverage/object/decoder.hpp"
#include "coverage/object/initializers.hpp"
#include "coverage/object/object_print.hpp"
#include "coverage/object/test_numbers.hpp"

namespace morph::object {
namespace {

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

struct branch {
  std::uint64_t offset;
  std::uint32_t size;
  std::uint64_t to;
};

struct section_work {
  std::vector<std::uint32_t> symbols;    // by value
  std::vector<piece*> pieces;            // by place
  std::vector<site> sites;               // one a relocation
  std::vector<branch> branches;          // that no relocation tells of; by offset
  std::vector<std::uint64_t> constants;  // where instructions hold one; by offset
  std::vector<std::uint64_t> cuts;
};

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

bool is_list_name(std::string_view section) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !section.empty() && letter(section[0]) &&
         std::all_of(section.begin(), section.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

class printer {
 public:
  printer(elf_object& object, decoder& decode, std::string_view path, const std::vector<std::string>& roots)
      : object_(object),
        decode_(decode),
        path_(path),
        roots_(roots),
        symbol_names_(object.symbols.size(), none),
        work_(object.sections.size()) {}

  tl::expected<object_print, std::string> print(std::size_t file_size);

 private:
  using status = tl::expected<void, std::string>;
  struct tables_of_exceptions {
    std::uint32_t section;
    std::uint64_t begin, end;
  };
  enum class use : std::uint8_t { normal, startup, skipped };
  struct spelled {
    std::string text;
    bool stores = false;
  };

  static use use_of(const elf_section& section);
  const elf_section& section(const piece& p) const { return object_.sections[p.section]; }
  const elf_symbol* named(const piece& p) const { return p.symbol == none ? nullptr : &object_.symbols[p.symbol]; }

  status check(std::size_t file_size) const;
  void sort_symbols();
  void cut_code(std::uint32_t index);
  bool only_padding(const elf_section& of, std::uint64_t begin, std::uint64_t end);
  void sweep(std::uint32_t index);
  bool names_source(std::uint32_t section, std::size_t relocation) const;
  void take_numbers_of_tests();
  std::vector<registering_reference> references_of(const piece& p) const;
  registering_reference reference_to(std::uint32_t section, std::uint64_t offset) const;
  std::string_view symbol_at(std::uint32_t section, std::uint64_t offset) const;
  void cut_data(std::uint32_t index);
  void look_at_data(piece& p);
  piece& add_piece(std::uint32_t section, std::uint64_t begin, std::uint64_t end, bool function);
  void name_pieces();
  void find_exception_tables();
  void read_frames(std::uint32_t index);

  const piece* piece_at(std::uint32_t section, std::uint64_t offset) const;
  std::pair<std::size_t, std::size_t> relocations_in(std::uint32_t section, std::uint64_t begin,
                                                     std::uint64_t end) const;
  std::uint64_t exact_addend(std::uint32_t section, std::size_t relocation) const;
  void describe(std::uint32_t section, std::size_t relocation, std::uint64_t table, digest_writer& to,
                std::vector<std::uint32_t>& references);
  void describe_place(std::uint32_t section, std::uint64_t offset, bool direct, digest_writer& to,
                      std::vector<std::uint32_t>& references);
  void describe_constant(const elf_section& of, std::uint64_t offset, digest_writer& to) const;
  std::string without_roots(std::string_view text) const;
  std::uint32_t run_from(std::size_t index, const std::vector<piece*>& pieces);

  void hash(const piece& p);
  void hash_bytes(const piece& p, atom& to, const digest& references);
  void hash_exceptions(const piece& p, atom& to, std::vector<std::uint32_t>& references);
  void add_startup(std::uint32_t index);
  void add_definitions();
  bool catches(const piece& p) const;
  void take_initializers_apart();
  initializer_function steps_of(const piece& p, const std::map<std::uint32_t, std::uint32_t>& functions);
  const spelled& spell(std::string_view code, bool relocated);
  range keep(const std::vector<std::uint32_t>& references);

  std::uint32_t name_of_symbol(std::uint32_t index) {
    std::uint32_t& number = symbol_names_[index];
    if (number != none) return number;
    number = print_.names.add(object_.symbols[index].name);
    if (const auto compiled = compiled_names_.find(index); compiled != compiled_names_.end())
      print_.compiled.emplace_back(number, print_.names.add(compiled->second));
    return number;
  }

  elf_object& object_;
  decoder& decode_;
  std::string_view path_;
  const std::vector<std::string>& roots_;
  std::vector<std::uint32_t> symbol_names_;
  std::deque<std::string> new_names_;
  std::map<std::uint32_t, std::string_view> compiled_names_;  // of symbols that got a new one
  std::optional<test_numbers> numbers_;
  std::string_view source_;  // its name
  std::vector<section_work> work_;
  std::deque<piece> pieces_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, tables_of_exceptions>
      exceptions_;                                                          // by section and address of the function
  std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> runs_;  // atoms and what they stand for
  std::array<std::unordered_map<std::string_view, spelled>, 2> spelled_;    // instructions, by bytes; relocated ones
  std::string scratch_;
  digest_writer described_;                // of one piece
  std::vector<std::uint32_t> references_;  // of one piece
  object_print print_;
};

printer::use printer::use_of(const elf_section& section) {
  const std::string_view name = section.name;
  if (!section.allocated() || section.size == 0) return use::skipped;
  if (section.type == SHT_INIT_ARRAY || section.type == SHT_FINI_ARRAY || section.type == SHT_PREINIT_ARRAY ||
      name.starts_with(".ctors") || name.starts_with(".dtors"))
    return use::startup;
  const bool beside = name == ".eh_frame" || name.starts_with(".note") || name.starts_with(".gcc_except_table");
  return beside ? use::skipped : use::normal;
}

printer::status printer::check(std::size_t file_size) const {
  // Names may lie over each other in the file, and would take more memory than it.
  std::uint64_t names = 0;
  for (const elf_symbol& symbol : object_.symbols) names += symbol.name.size();
  if (names > 4 * std::uint64_t{file_size} + 65536)
    return tl::unexpected(fmt::format("'{}' is damaged: its names lie over each other; build it again", path_));
  for (const elf_section& section : object_.sections)
    for (const relocation& r : section.relocations)
      if (!is_known_relocation(object_.target, r.type))
        return tl::unexpected(
            fmt::format("the code of '{}' cannot be compared: its relocations of type {} are unknown", path_, r.type));
  return {};
}

void printer::sort_symbols() {
  for (std::uint32_t i = 1; i < object_.symbols.size(); ++i) {
    const elf_symbol& symbol = object_.symbols[i];
    if (symbol.place != symbol_place::section || symbol.type == STT_SECTION || symbol.type == STT_FILE) continue;
    // Labels of assemblers, and AArch64's marks of code and data.
    if (symbol.name.empty() || symbol.name.starts_with(".L") || symbol.name[0] == '$') continue;
    work_[symbol.section].symbols.push_back(i);
  }
  for (section_work& work : work_)
    std::stable_sort(work.symbols.begin(), work.symbols.end(), [&](std::uint32_t a, std::uint32_t b) {
      return object_.symbols[a].value < object_.symbols[b].value;
    });
}

piece& printer::add_piece(std::uint32_t section, std::uint64_t begin, std::uint64_t end, bool function) {
  piece& added = pieces_.emplace_back();
  added.section = section;
  added.begin = begin;
  added.end = end;
  added.function = function;
  work_[section].pieces.push_back(&added);
  return added;
}

bool printer::only_padding(const elf_section& of, std::uint64_t begin, std::uint64_t end) {
  while (begin < end) {
    const instruction next = decode_.decode(of.bytes.substr(begin, end - begin), begin);
    if (!decode_.is_padding()) return false;
    begin += next.size;
  }
  return true;
}

void printer::cut_code(std::uint32_t index) {
  const elf_section& section = object_.sections[index];
  const std::uint64_t size = section.bytes.size();
  struct start {
    std::uint64_t begin, end;
    bool sized;
  };
  std::vector<start> starts;
  for (const std::uint32_t i : work_[index].symbols) {
    const elf_symbol& symbol = object_.symbols[i];
    const std::uint64_t end = symbol.value + symbol.size;
    if (symbol.value >= size) continue;
    if (!starts.empty() && (symbol.value == starts.back().begin || symbol.value < starts.back().end)) {
      starts.back().end = std::max(starts.back().end, end);
      starts.back().sized |= symbol.size > 0;
    } else {
      starts.push_back({symbol.value, end, symbol.size > 0});
    }
  }
  if (starts.empty() || starts[0].begin > 0) starts.insert(starts.begin(), {0, 0, false});
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::uint64_t next = i + 1 < starts.size() ? starts[i + 1].begin : size;
    std::uint64_t end = next;
    if (starts[i].end < next && only_padding(section, starts[i].end, next)) end = starts[i].end;
    if (end > starts[i].begin) add_piece(index, starts[i].begin, end, true).runs_on = !starts[i].sized;
  }
}

// Frameworks that take the number of a line for nothing but messages, wherever they have the name of the file from.
bool takes_place(std::string_view callee) {
  static constexpr std::array<std::string_view, 7> parts{
      "__assert", "7testing", "5Catch", "7doctest", "5boost9unit_test", "10boost_test", "source_location"};
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return callee.find(part) != std::string_view::npos; });
}

bool printer::names_source(std::uint32_t index, std::size_t i) const {
  static constexpr std::array<std::string_view, 13> extensions{".c",  ".cc",  ".cpp", ".cxx", ".c++", ".C",  ".h",
                                                               ".hh", ".hpp", ".hxx", ".ipp", ".inl", ".tpp"};
  const elf_symbol& to = object_.symbols[object_.sections[index].relocations[i].symbol];
  if (to.place != symbol_place::section || (!to.local && to.type != STT_SECTION)) return false;
  const std::string_view text = reference_to(to.section, to.value + exact_addend(index, i)).text;
  const std::size_t dot = text.rfind('.');
  return dot != std::string_view::npos &&
         std::find(extensions.begin(), extensions.end(), text.substr(dot)) != extensions.end();
}

// A number may be that of a line if it is passed with the name of a file, or to who tells failures: what a function
// returns or compares is a value.
void printer::sweep(std::uint32_t index) {
  const elf_section& section = object_.sections[index];
  section_work& work = work_[index];
  // With a section to itself, a function without relocations goes nowhere else.
  const bool alone = work.pieces.size() == 1 && work.pieces[0]->begin == 0;
  std::size_t next = 0;
  const std::vector<relocation>& relocations = section.relocations;
  std::vector<std::pair<std::uint64_t, constant_place>> passed;  // since the last call
  bool with_file = false;
  for (const piece* const p : work.pieces) {
    passed.clear();
    with_file = false;
    for (std::uint64_t at = p->begin; at < p->end;) {
      const instruction one = decode_.decode(section.bytes.substr(at, p->end - at), at);
      const std::uint64_t end = at + one.size;
      while (next < relocations.size() && relocations[next].offset < at) ++next;
      bool relocated = false;
      const std::size_t first = next;
      for (; next < relocations.size() && relocations[next].offset < end; ++next) {
        relocated = true;
        const relocation& r = relocations[next];
        if (object_.target == machine::x86_64 && is_x86_relative(r.type))
          work.sites[next].to_end = static_cast<std::int8_t>(one.known ? end - r.offset : 4);
        const elf_symbol& to = object_.symbols[r.symbol];
        const bool into_data = to.place == symbol_place::section && !object_.sections[to.section].code();
        if (into_data) work.sites[next].direct = decode_.is_direct();
        if (into_data && !with_file) with_file = names_source(index, next);
      }
      if (!relocated) {
        const auto target = alone ? std::nullopt : decode_.target();
        if (target && (target->address < p->begin || target->address >= p->end))
          work.branches.push_back({at + target->field, target->field_size, target->address});
        if (one.has_constant && one.constant_to != constant_place::elsewhere)
          passed.emplace_back(at + one.constant_field, one.constant_to);
      }
      if (with_file || !passed.empty()) {
        const flow control = decode_.control();
        if (control == flow::call || (control == flow::jump && relocated)) {
          const bool known = relocated && takes_place(object_.symbols[relocations[first].symbol].name);
          for (const auto& [place, to] : passed)
            if (known || (with_file && to == constant_place::argument)) work.constants.push_back(place);
        }
        if (control != flow::next) passed.clear(), with_file = false;
      }
      at = end;
    }
  }
}

std::uint64_t printer::exact_addend(std::uint32_t section, std::size_t relocation) const {
  const auto addend = static_cast<std::uint64_t>(object_.sections[section].relocations[relocation].addend);
  return addend + static_cast<std::uint64_t>(work_[section].sites[relocation].to_end);
}

std::string_view printer::symbol_at(std::uint32_t section, std::uint64_t offset) const {
  const std::vector<std::uint32_t>& symbols = work_[section].symbols;
  const auto found =
      std::lower_bound(symbols.begin(), symbols.end(), offset,
                       [&](std::uint32_t s, std::uint64_t value) { return object_.symbols[s].value < value; });
  const bool is_there = found != symbols.end() && object_.symbols[*found].value == offset;
  return is_there ? object_.symbols[*found].name : std::string_view();
}

registering_reference printer::reference_to(std::uint32_t section, std::uint64_t offset) const {
  const elf_section& of = object_.sections[section];
  registering_reference made{symbol_at(section, offset), {}};
  if (of.code() || of.writable() || offset >= of.bytes.size()) return made;
  const std::string_view text = of.bytes.substr(offset, of.bytes.find('\0', offset) - offset);
  const bool readable = std::all_of(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n'; });
  if (readable) made.text = text;
  return made;
}

// AArch64 needs two instructions for an address: they count once.
std::vector<registering_reference> printer::references_of(const piece& p) const {
  const elf_section& of = section(p);
  std::vector<std::pair<std::uint64_t, registering_reference>> found;
  const auto add = [&](std::uint64_t at, const registering_reference& r) {
    const bool again = !found.empty() && found.back().second.text.data() == r.text.data() && !r.text.empty();
    if (!again) found.emplace_back(at, r);
  };
  const auto [first, last] = relocations_in(p.section, p.begin, p.end);
  for (std::size_t i = first; i < last; ++i) {
    const elf_symbol& to = object_.symbols[of.relocations[i].symbol];
    const bool by_place = to.place == symbol_place::section && (to.local || to.type == STT_SECTION);
    const std::uint64_t at = of.relocations[i].offset;
    add(at, by_place ? reference_to(to.section, to.value + exact_addend(p.section, i))
                     : registering_reference{to.name, {}});
  }
  for (const branch& b : work_[p.section].branches)
    if (b.offset >= p.begin && b.offset < p.end) add(b.offset, reference_to(p.section, b.to));
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<registering_reference> in_order;
  for (const auto& [at, reference] : found) in_order.push_back(reference);
  return in_order;
}

void printer::take_numbers_of_tests() {
  const auto is_numbered = [](const elf_symbol& s) { return test_numbers::is_numbered(s.name); };
  if (std::none_of(object_.symbols.begin(), object_.symbols.end(), is_numbered)) return;
  numbers_.emplace();
  for (const piece& p : pieces_)
    if (const std::string_view name = symbol_at(p.section, p.begin); test_numbers::registers(name))
      numbers_->add(name, references_of(p), source_);
  for (const elf_symbol& s : object_.symbols) numbers_->add_symbol(s.name);
  numbers_->close();
  for (std::uint32_t i = 0; i < object_.symbols.size(); ++i) {
    std::string_view& name = object_.symbols[i].name;
    if (!test_numbers::is_numbered(name)) continue;
    compiled_names_.emplace(i, name);
    name = new_names_.emplace_back(numbers_->renamed(name));
  }
  for (std::string_view& signature : object_.groups)
    if (test_numbers::is_numbered(signature)) signature = new_names_.emplace_back(numbers_->renamed(signature));
}

void printer::cut_data(std::uint32_t index) {
  const elf_section& section = object_.sections[index];
  std::vector<std::uint64_t> cuts = std::move(work_[index].cuts);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> covered;  // by symbols; those that overlap are one
  for (const std::uint32_t i : work_[index].symbols) {
    const elf_symbol& symbol = object_.symbols[i];
    cuts.push_back(symbol.value);
    if (symbol.size == 0) continue;
    cuts.push_back(symbol.value + symbol.size);
    if (!covered.empty() && symbol.value < covered.back().second)
      covered.back().second = std::max(covered.back().second, symbol.value + symbol.size);
    else
      covered.emplace_back(symbol.value, symbol.value + symbol.size);
  }
  cuts.push_back(0);
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  std::vector<std::uint64_t> kept;
  std::size_t next = 0;
  for (const std::uint64_t cut : cuts) {
    while (next < covered.size() && covered[next].second <= cut) ++next;
    const bool inside = next < covered.size() && covered[next].first < cut;
    if (cut < section.size && !inside) kept.push_back(cut);
  }
  for (std::size_t i = 0; i < kept.size(); ++i)
    add_piece(index, kept[i], i + 1 < kept.size() ? kept[i + 1] : section.size, false);
}

void printer::name_pieces() {
  for (std::size_t s = 0; s < work_.size(); ++s) {
    section_work& work = work_[s];
    for (const std::uint32_t i : work.symbols) {
      auto* const p = const_cast<piece*>(piece_at(static_cast<std::uint32_t>(s), object_.symbols[i].value));
      if (p == nullptr) continue;
      const elf_symbol& symbol = object_.symbols[i];
      const elf_symbol* const current = named(*p);
      const bool better = current == nullptr || (current->value == symbol.value && current->local && !symbol.local);
      if (better) p->symbol = i;
    }
  }
}

// A constant without a name ends where the next begins, or in the padding before it, which is no part of it.
void printer::look_at_data(piece& p) {
  const elf_section& of = section(p);
  if (p.symbol != none || of.writable() || of.type == SHT_NOBITS) return;
  const auto [first, last] = relocations_in(p.section, p.begin, p.end);
  std::uint64_t least = p.begin, covered = 0;
  bool jumps = first < last;
  for (std::size_t i = first; i < last; ++i) {
    const relocation& r = of.relocations[i];
    const std::uint32_t size = field_size(object_.target, r.type);
    least = r.offset + size;
    covered += size;
    const elf_symbol& to = object_.symbols[r.symbol];
    jumps = jumps && to.place == symbol_place::section && object_.sections[to.section].code();
  }
  while (p.end > least && of.bytes[p.end - 1] == 0) --p.end;
  p.jumps = jumps && covered == p.end - p.begin;
  const std::string_view bytes = of.bytes.substr(p.begin, p.end - p.begin);
  p.text = first == last && std::all_of(bytes.begin(), bytes.end(), [](char c) {
             const auto byte = static_cast<unsigned char>(c);
             return byte >= 0x20 || (byte >= '\a' && byte <= '\r') || byte == 0x1b;
           });
}

const piece* printer::piece_at(std::uint32_t section, std::uint64_t offset) const {
  const std::vector<piece*>& pieces = work_[section].pieces;
  const auto after = std::upper_bound(pieces.begin(), pieces.end(), offset,
                                      [](std::uint64_t value, const piece* p) { return value < p->begin; });
  return after == pieces.begin() ? nullptr : *(after - 1);
}

std::pair<std::size_t, std::size_t> printer::relocations_in(std::uint32_t section, std::uint64_t begin,
                                                            std::uint64_t end) const {
  const std::vector<relocation>& all = object_.sections[section].relocations;
  const auto before = [](const relocation& r, std::uint64_t offset) { return r.offset < offset; };
  const auto first = std::lower_bound(all.begin(), all.end(), begin, before);
  const auto last = std::lower_bound(first, all.end(), end, before);
  return {static_cast<std::size_t>(first - all.begin()), static_cast<std::size_t>(last - all.begin())};
}

// The table of a function's exceptions is found by the second relocation of its frame's description.
void printer::read_frames(std::uint32_t index) {
  const elf_section& frames = object_.sections[index];
  const std::string_view bytes = frames.bytes;
  const auto word = [&](std::uint64_t at) {
    std::uint32_t value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  };
  std::map<std::uint64_t, bool> has_table;
  std::size_t next = 0;
  for (std::uint64_t at = 0; bytes.size() - at >= 9;) {
    const std::uint64_t length = word(at), end = at + 4 + length;
    if (length == 0 || end > bytes.size()) return;
    const std::uint32_t id = word(at + 4);
    if (id == 0) {
      const std::string_view augmentation = bytes.substr(at + 9, end - at - 9);
      has_table[at] = augmentation.substr(0, augmentation.find('\0')).find('L') != std::string_view::npos;
    } else if (const auto common = has_table.find(at + 4 - id); common != has_table.end() && common->second) {
      while (next < frames.relocations.size() && frames.relocations[next].offset < at) ++next;
      std::vector<std::pair<std::uint32_t, std::uint64_t>> places;
      for (; next < frames.relocations.size() && frames.relocations[next].offset < end; ++next) {
        const relocation& r = frames.relocations[next];
        const elf_symbol& to = object_.symbols[r.symbol];
        places.emplace_back(to.section, to.value + static_cast<std::uint64_t>(r.addend));
      }
      if (places.size() >= 2 && places[0].first != none && places[1].first != none)
        exceptions_[places[0]] = {places[1].first, places[1].second, 0};
    }
    at = end;
  }
}

void printer::find_exception_tables() {
  for (std::uint32_t i = 0; i < object_.sections.size(); ++i)
    if (object_.sections[i].name == ".eh_frame" && !object_.sections[i].bytes.empty()) read_frames(i);
  std::map<std::uint32_t, std::vector<std::uint64_t>> begins;
  for (const auto& [function, table] : exceptions_) begins[table.section].push_back(table.begin);
  for (auto& [section, all] : begins) std::sort(all.begin(), all.end());
  for (auto& [function, table] : exceptions_) {
    const auto& all = begins[table.section];
    const auto next = std::upper_bound(all.begin(), all.end(), table.begin);
    table.end = next == all.end() ? object_.sections[table.section].bytes.size() : *next;
  }
}

void printer::describe_constant(const elf_section& of, std::uint64_t offset, digest_writer& to) const {
  const std::uint64_t unit = std::max<std::uint64_t>(1, of.entry_size);
  to.text("constant");
  if (offset >= of.bytes.size()) return to.text("outside");
  if ((of.flags & SHF_STRINGS) == 0) {
    const std::uint64_t begin = offset / unit * unit;
    to.number(offset - begin);
    return to.text(of.bytes.substr(begin, unit));
  }
  std::uint64_t end = offset;
  const auto ends = [&] {
    const std::string_view one = of.bytes.substr(end, unit);
    return std::all_of(one.begin(), one.end(), [](char c) { return c == 0; });
  };
  if (unit == 1)
    end = std::min(of.bytes.find('\0', offset), of.bytes.size());
  else
    while (end < of.bytes.size() && !ends()) end += std::min(unit, of.bytes.size() - end);
  to.text(without_roots(of.bytes.substr(offset, end - offset)));
}

std::string printer::without_roots(std::string_view text) const {
  std::string result(text);
  if (text.find('/') == std::string_view::npos) return result;
  // What lies in another root is found first.
  std::vector<std::size_t> longest_first(roots_.size());
  std::iota(longest_first.begin(), longest_first.end(), std::size_t{0});
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [&](std::size_t a, std::size_t b) { return roots_[a].size() > roots_[b].size(); });
  for (const std::size_t i : longest_first) {
    const std::string& root = roots_[i];
    for (std::size_t at = result.find(root); at != std::string::npos; at = result.find(root, at + 1)) {
      const std::size_t end = at + root.size();
      if (end == result.size() || result[end] == '/' || result[end] == '\0')
        result.replace(at, root.size(), 1, static_cast<char>(i + 1));
    }
  }
  return result;
}

// Compilers refer to `table - 4` where indices begin with 1, and reach all of a constant from its begin: what is behind
// a reference to something without a name counts, up to the next name.
std::uint32_t printer::run_from(std::size_t index, const std::vector<piece*>& pieces) {
  std::size_t end = index;
  const auto is_plain = [&](const piece& p) { return p.symbol == none && !p.text && !p.jumps; };
  while (end < pieces.size() && is_plain(*pieces[end]) && pieces[end]->run == none) ++end;
  while (end > index) {
    piece& p = *pieces[--end];
    std::vector<std::uint32_t> all{p.atom};
    if (end + 1 < pieces.size()) {
      const piece& next = *pieces[end + 1];
      if (!next.text) all.push_back(is_plain(next) ? next.run : next.atom);
    }
    atom stands;
    stands.flags = atom::local;
    p.run = static_cast<std::uint32_t>(print_.atoms.size());
    print_.atoms.push_back(stands);
    runs_.emplace_back(p.run, std::move(all));
  }
  return pieces[index]->run;
}

void printer::describe_place(std::uint32_t index, std::uint64_t offset, bool direct, digest_writer& to,
                             std::vector<std::uint32_t>& references) {
  const elf_section& of = object_.sections[index];
  if (!of.allocated()) return to.text("no code");
  if (of.merged()) return describe_constant(of, offset, to);
  if (use_of(of) != use::normal) return to.text("beside");
  const std::vector<piece*>& pieces = work_[index].pieces;
  const piece* found = piece_at(index, static_cast<std::int64_t>(offset) < 0 ? 0 : offset);
  if (found == nullptr) {
    to.text(of.name);
    return to.number(offset);
  }
  to.text(found->function ? "function" : "data");
  to.number(offset - found->begin);
  if (const elf_symbol* const symbol = named(*found)) {
    to.text(symbol->name);
  } else if (found->function || of.writable()) {
    to.text(of.name);
    to.number(found->begin);
  }
  const auto place =
      static_cast<std::size_t>(std::lower_bound(pieces.begin(), pieces.end(), found->begin,
                                                [](const piece* p, std::uint64_t value) { return p->begin < value; }) -
                               pieces.begin());
  if (found->function || direct || found->text) return references.push_back(found->atom);
  if (found->symbol == none && !of.writable() && !found->jumps) return references.push_back(run_from(place, pieces));
  references.push_back(found->atom);
  const bool near_end = offset != found->begin && found->end - offset <= 256 && !of.name.starts_with(".data.rel.ro");
  if (near_end && place + 1 < pieces.size()) references.push_back(pieces[place + 1]->atom);
}

// `table`: where offsets within a table of a switch count from.
void printer::describe(std::uint32_t index, std::size_t relocation_index, std::uint64_t table, digest_writer& to,
                       std::vector<std::uint32_t>& references) {
  const relocation& r = object_.sections[index].relocations[relocation_index];
  const elf_symbol& symbol = object_.symbols[r.symbol];
  const std::uint64_t addend = exact_addend(index, relocation_index);
  const bool code = object_.sections[index].code();
  if (symbol.place != symbol_place::section || (!symbol.local && symbol.type != STT_SECTION)) {
    to.text(symbol.place == symbol_place::absolute ? "absolute" : "name");
    to.text(symbol.name);
    to.number(addend);
    if (symbol.place == symbol_place::absolute && symbol.local) return to.number(symbol.value);
    if (!symbol.name.empty()) references.push_back(name_of_symbol(r.symbol) | by_name);
    return;
  }
  const elf_section& of = object_.sections[symbol.section];
  const bool has_name = symbol.type != STT_SECTION && !symbol.name.starts_with(".L") && !of.merged();
  if (has_name && use_of(of) == use::normal) {
    const piece* const found = piece_at(symbol.section, symbol.value);
    to.text("local");
    to.text(symbol.name);
    to.number(addend);
    if (found != nullptr) references.push_back(found->atom);
    return;
  }
  std::uint64_t offset = symbol.value + addend;
  const bool relative = object_.target == machine::x86_64
                            ? is_x86_relative(r.type)
                            : r.type == R_AARCH64_PREL32 || r.type == R_AARCH64_PREL64 || r.type == R_AARCH64_PREL16;
  if (!code && relative) offset -= r.offset - table;
  describe_place(symbol.section, offset, work_[index].sites[relocation_index].direct, to, references);
}

range printer::keep(const std::vector<std::uint32_t>& references) {
  const auto first = static_cast<std::uint32_t>(print_.references.size());
  print_.references.insert(print_.references.end(), references.begin(), references.end());
  return {first, static_cast<std::uint32_t>(references.size())};
}

void printer::hash_bytes(const piece& p, atom& to, const digest& references) {
  const elf_section& of = section(p);
  scratch_.clear();
  if (of.type != SHT_NOBITS) scratch_ = of.bytes.substr(p.begin, p.end - p.begin);
  const elf_symbol* const symbol = named(p);
  const auto [first, end] = relocations_in(p.section, p.begin, p.end);
  if (numbers_ && symbol != nullptr && symbol->name.starts_with("_ZTS")) scratch_ = numbers_->renamed(scratch_);
  if (!p.function && first == end && !roots_.empty()) scratch_ = without_roots(scratch_);
  digest_writer& tail = described_;
  tail.clear();
  tail.number(of.type != SHT_NOBITS ? scratch_.size() : p.end - p.begin);
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
  const section_work& work = work_[p.section];
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
  const auto [first, last] = relocations_in(index, begin, end);
  for (std::size_t i = first; i < last; ++i) {
    const relocation& r = of.relocations[i];
    const std::uint64_t at = r.offset - begin;
    const std::uint32_t size = field_size(object_.target, r.type);
    for (std::uint64_t k = at; k < at + size && k < bytes.size(); ++k) bytes[k] = 0;
    all.number(at);
    all.number(r.type);
    describe(index, i, r.offset, all, references);
  }
  // Padding before the next table.
  while (!bytes.empty() && bytes.back() == 0) bytes.pop_back();
  all.text(bytes);
  to.exceptions = all.finish();
}

void printer::hash(const piece& p) {
  digest_writer& all = described_;
  std::vector<std::uint32_t>& references = references_;
  all.clear();
  references.clear();
  const elf_section& of = section(p);
  const auto [first, last] = relocations_in(p.section, p.begin, p.end);
  const std::vector<branch>& branches = work_[p.section].branches;
  auto b = std::lower_bound(branches.begin(), branches.end(), p.begin,
                            [](const branch& one, std::uint64_t offset) { return one.offset < offset; });
  const auto add_branches = [&](std::uint64_t until) {
    for (; p.function && b != branches.end() && b->offset < until; ++b) {
      all.number(b->offset - p.begin);
      describe_place(p.section, b->to, false, all, references);
    }
  };
  for (std::size_t i = first; i < last; ++i) {
    add_branches(of.relocations[i].offset);
    all.number(of.relocations[i].offset - p.begin);
    all.number(of.relocations[i].type);
    describe(p.section, i, p.begin, all, references);
  }
  add_branches(p.end);
  atom made = print_.atoms[p.atom];
  if (p.runs_on)
    if (const piece* const next = piece_at(p.section, p.end); next != nullptr && next->begin == p.end)
      references.push_back(next->atom);
  hash_bytes(p, made, all.finish());
  if (p.function) hash_exceptions(p, made, references);
  made.references = keep(references);
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
  for (std::size_t i = 0; i < of.relocations.size(); ++i) describe(index, i, 0, all, references);
  made.content = made.relaxed = all.finish();
  made.references = keep(references);
  print_.atoms.push_back(made);
}

void printer::add_definitions() {
  const auto binding_of = [](const elf_symbol& symbol) {
    if (symbol.local) return strength::local;
    if (symbol.place == symbol_place::common) return strength::common;
    return symbol.weak ? strength::weak : strength::strong;
  };
  const auto define = [&](std::uint32_t i, std::uint32_t of) {
    const elf_symbol& symbol = object_.symbols[i];
    const bool hidden = symbol.visibility == STV_HIDDEN || symbol.visibility == STV_INTERNAL;
    print_.definitions.push_back({name_of_symbol(i), of, binding_of(symbol), hidden});
  };
  for (std::uint32_t i = 1; i < object_.symbols.size(); ++i) {
    const elf_symbol& symbol = object_.symbols[i];
    if (symbol.name.empty()) continue;
    if (symbol.place == symbol_place::undefined) {
      print_.wanted.push_back({name_of_symbol(i), symbol.weak});
    } else if (symbol.place == symbol_place::common || (symbol.place == symbol_place::absolute && !symbol.local)) {
      atom made;
      made.name = name_of_symbol(i);
      made.flags = symbol.place == symbol_place::common ? atom::writable : std::uint8_t{0};
      digest_writer all;
      all.number(symbol.place == symbol_place::common ? symbol.size : symbol.value);
      made.content = made.relaxed = all.finish();
      print_.atoms.push_back(made);
      define(i, static_cast<std::uint32_t>(print_.atoms.size() - 1));
    }
  }
  for (std::uint32_t s = 0; s < work_.size(); ++s)
    for (const std::uint32_t i : work_[s].symbols) {
      const piece* const p = piece_at(s, object_.symbols[i].value);
      if (p == nullptr) continue;
      define(i, p->atom);
      if (object_.symbols[i].type == STT_GNU_IFUNC) print_.atoms[p->atom].flags |= atom::unconditional;
    }
}

// Initializers of tests repeat themselves.
const printer::spelled& printer::spell(std::string_view code, bool relocated) {
  const auto [at, is_new] = spelled_[relocated ? 1 : 0].try_emplace(code);
  if (is_new) at->second = {decode_.canonical(relocated), decode_.stores()};
  return at->second;
}

initializer_function printer::steps_of(const piece& p, const std::map<std::uint32_t, std::uint32_t>& functions) {
  const elf_section& of = section(p);
  initializer_function made;
  made.begin = p.begin;
  std::size_t next = relocations_in(p.section, p.begin, p.end).first;
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
        describe(p.section, i, p.begin, all, references);
      });
    for (std::size_t i = first; i < next; ++i) {
      const elf_symbol& to = object_.symbols[of.relocations[i].symbol];
      if (to.place != symbol_place::section || (!to.local && to.type != STT_SECTION)) continue;
      const elf_section& in = object_.sections[to.section];
      const std::uint64_t place = to.value + exact_addend(p.section, i);
      if (in.code() || in.writable() || place >= in.bytes.size() || !symbol_at(to.section, place).empty()) continue;
      s.refers[i - first].is_ambient = is_ambient(reference_to(to.section, place).text, source_);
    }
    if (target && (target->address < p.begin || target->address >= p.end))
      refer([&](digest_writer& all, auto& references) {
        describe_place(p.section, target->address, false, all, references);
      });
    else if (target)
      s.target = target->address;
    if (words.stores)
      for (step_reference& r : s.refers) r.stored = direct || object_.target == machine::aarch64;
    at += one.size;
  }
  return made;
}

// Without types in its table of exceptions a function only cleans up for them.
bool printer::catches(const piece& p) const {
  const auto found = exceptions_.find({p.section, p.begin});
  if (found == exceptions_.end()) return false;
  const auto& [index, begin, end] = found->second;
  const std::string_view bytes = object_.sections[index].bytes;
  constexpr char omitted = '\xff';
  return end > bytes.size() || end < begin + 2 || bytes[begin] != omitted || bytes[begin + 1] != omitted;
}

void printer::take_initializers_apart() {
  std::map<std::uint32_t, std::uint32_t> numbers;
  std::vector<const piece*> found;
  for (const piece& p : pieces_) {
    const elf_symbol* const symbol = named(p);
    if (!p.function || symbol == nullptr || !is_initializer_name(symbol->name)) continue;
    if (catches(p)) return;
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
  initializer_row row = take_apart(functions, roots, print_);
  print_.segments = std::move(row.segments);
  for (const std::uint32_t i : row.functions) print_.atoms[found[i]->atom].flags |= atom::initializer;
  if (print_.segments.empty()) return;
  // What only exceptions lead to ends the program before main().
  for (const piece* const p : found)
    if (named(*p)->name.ends_with(".cold") && !std::binary_search(row.referred.begin(), row.referred.end(), p->atom))
      print_.atoms[p->atom].flags |= atom::initializer;
}

tl::expected<object_print, std::string> printer::print(std::size_t file_size) {
  if (const auto done = check(file_size); !done) return tl::unexpected(done.error());
  print_.target = object_.target;
  sort_symbols();
  const auto count = static_cast<std::uint32_t>(object_.sections.size());
  const auto is_code = [&](std::uint32_t i) {
    const elf_section& s = object_.sections[i];
    return s.code() && use_of(s) == use::normal && !s.bytes.empty();
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    work_[i].sites.resize(object_.sections[i].relocations.size());
    if (is_code(i)) cut_code(i), sweep(i);
  }
  for (const elf_symbol& s : object_.symbols)
    if (s.type == STT_FILE && source_.empty()) source_ = s.name.substr(s.name.rfind('/') + 1);
  take_numbers_of_tests();
  for (std::uint32_t i = 0; i < count; ++i) {
    const elf_section& from = object_.sections[i];
    for (std::size_t k = 0; k < from.relocations.size(); ++k) {
      const elf_symbol& to = object_.symbols[from.relocations[k].symbol];
      if (to.place != symbol_place::section || (to.type != STT_SECTION && !to.local)) continue;
      if (!from.code() && is_x86_relative(from.relocations[k].type)) continue;
      work_[to.section].cuts.push_back(to.value + exact_addend(i, k));
    }
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const elf_section& s = object_.sections[i];
    if (use_of(s) == use::normal && !s.code() && !s.merged()) cut_data(i);
  }
  name_pieces();
  print_.atoms.reserve(pieces_.size());
  for (piece& p : pieces_) {
    if (!p.function) look_at_data(p);
    const elf_section& of = section(p);
    atom made;
    made.kind = p.function ? atom_kind::function : atom_kind::data;
    const elf_symbol* const symbol = named(p);
    if (symbol == nullptr || symbol->local) made.flags |= atom::local;
    if (of.writable()) made.flags |= atom::writable;
    if (of.name == ".init" || of.name == ".fini") made.flags |= atom::unconditional;
    if (symbol != nullptr) {
      made.name = name_of_symbol(p.symbol);
    } else if (p.function) {
      made.flags |= atom::unnamed | atom::unconditional;
      made.name = print_.names.add(fmt::format("{}+{}", of.name, p.begin));
    }
    if (of.group != none) made.group = print_.names.add(object_.groups[of.group]);
    if (is_list_name(of.name)) made.list = print_.names.add(of.name), made.flags |= atom::lasting;
    p.atom = static_cast<std::uint32_t>(print_.atoms.size());
    print_.atoms.push_back(made);
  }
  find_exception_tables();
  for (const piece& p : pieces_) hash(p);
  for (std::uint32_t i = 0; i < count; ++i)
    if (use_of(object_.sections[i]) == use::startup) add_startup(i);
  add_definitions();
  take_initializers_apart();
  for (const auto& [index, references] : runs_) print_.atoms[index].references = keep(references);
  std::sort(print_.compiled.begin(), print_.compiled.end());
  print_.names.close();
  return std::move(print_);
}

}  // namespace

struct object_reader::tables {
  std::array<std::optional<decoder>, 2> decoders;
};

object_reader::object_reader(std::vector<std::string> roots)
    : roots_(std::move(roots)), tables_(std::make_unique<tables>()) {}
object_reader::~object_reader() = default;

tl::expected<object_print, std::string> object_reader::read(std::string_view bytes, std::string_view path) {
  auto object = read_elf(bytes, path);
  if (!object) return tl::unexpected(object.error());
  auto& decode = tables_->decoders[static_cast<std::size_t>(object->target)];
  if (!decode) decode.emplace(object->target);
  return printer(*object, *decode, path, roots_).print(bytes.size());
}

}  // namespace morph::object
