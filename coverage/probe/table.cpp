// Reads symbols and unwind tables of a linked file, and puts a probe at each entry into a copy of its text.
#include "coverage/probe/table.hpp"

#include <fmt/format.h>
#include <llvm/DebugInfo/DWARF/DWARFDataExtractor.h>
#include <llvm/DebugInfo/DWARF/DWARFDebugFrame.h>
#include <llvm/Object/ELF.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <set>
#include <unordered_set>

namespace morph::probe {
namespace {

using namespace llvm::ELF;
using morph_probe::probe_kind;
using file_of_elf = llvm::object::ELFFile<llvm::object::ELF64LE>;
using bytes_span = llvm::ArrayRef<std::uint8_t>;

std::string_view view(llvm::StringRef text) {
  return {text.data(), text.size()};
}

template <typename T>
std::optional<T> read_at(bytes_span bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

constexpr std::uint8_t int3 = 0xcc, call_opcode = 0xe8;
constexpr std::uint32_t brk = 0xd4200000U | (0x4dU << 5);

/// Of a runtime that Clang links into programs: it has threads that block all signals without libc.
bool is_of_sanitizer(std::string_view symbol) {
  using namespace std::string_view_literals;
  constexpr std::array begins{"__tsan_"sv,          "__ubsan_"sv,           "__lsan_"sv,
                              "__sanitizer_"sv,     "__interceptor_"sv,     "___interceptor_"sv,
                              "_ZN6__tsan"sv,       "_ZN7__ubsan"sv,        "_ZN6__lsan"sv,
                              "_ZN11__sanitizer"sv, "_ZN14__interception"sv};
  return std::ranges::any_of(begins, [&](std::string_view begin) { return symbol.starts_with(begin); });
}

/// Parts of the C library's start that every program has: they belong to nobody's tests.
bool is_of_start_files(std::string_view name) {
  static constexpr std::array<std::string_view, 12> names{"_start",
                                                          "_init",
                                                          "_fini",
                                                          "deregister_tm_clones",
                                                          "register_tm_clones",
                                                          "frame_dummy",
                                                          "call_weak_fn",
                                                          "__libc_csu_init",
                                                          "__libc_csu_fini",
                                                          "__do_global_dtors_aux",
                                                          "__do_global_ctors_aux",
                                                          "_dl_relocate_static_pie"};
  return std::ranges::find(names, name) != names.end();
}

/// main(), and GoogleTest's functions; it called suites test cases until 1.9.
std::optional<morph_probe::hook_role> role_of(std::string_view name) {
  using morph_probe::hook_role;
  static constexpr std::string_view printer = "_ZN7testing8internal27PrettyUnitTestResultPrinter";
  static constexpr std::array<std::pair<std::string_view, hook_role>, 11> roles{{
      {"main", hook_role::run_main},
      {"_ZN7testing8TestInfo3RunEv", hook_role::run_test},
      {"_ZN7testing9TestSuite3RunEv", hook_role::run_suite},
      {"_ZN7testing8TestCase3RunEv", hook_role::run_suite},
      {"_ZN7testing9TestSuiteD0Ev", hook_role::destroy_suite},
      {"_ZN7testing9TestSuiteD1Ev", hook_role::destroy_suite},
      {"_ZN7testing9TestSuiteD2Ev", hook_role::destroy_suite},
      {"_ZN7testing8TestCaseD0Ev", hook_role::destroy_suite},
      {"_ZN7testing8TestCaseD1Ev", hook_role::destroy_suite},
      {"_ZN7testing8TestCaseD2Ev", hook_role::destroy_suite},
      {"_ZN7testing10TestResult17AddTestPartResultERKNS_14TestPartResultE", hook_role::report},
  }};
  for (const auto& [of, role] : roles)
    if (name == of) return role;
  if (!name.starts_with(printer)) return std::nullopt;
  for (const std::string_view end :
       {"14OnTestSuiteEndE", "13OnTestCaseEndE", "27OnEnvironmentsTearDownStartE", "18OnTestIterationEndE"})
    if (name.substr(printer.size()).starts_with(end)) return hook_role::print;
  return std::nullopt;
}

bool is_getenv(std::string_view symbol) {
  return symbol == "getenv" || symbol == "secure_getenv" || symbol == "__libc_secure_getenv";
}

class table_maker {
 public:
  table_maker(const file_of_elf& in, std::string_view path, const symbols& of_every_test,
              const blocked_functions& blocks)
      : in_(in), path_(path), of_every_test_(of_every_test), blocks_(blocks) {}

  tl::expected<probe_table, std::string> make() {
    std::memcpy(header_.magic, morph_probe::table_magic, sizeof header_.magic);
    if (auto found = find_text(); !found) return tl::unexpected(found.error());
    if (auto read = read_unwind_table(); !read) return tl::unexpected(read.error());
    if (auto read = read_functions(); !read) return tl::unexpected(read.error());
    count_names();
    put_probes();
    find_hooks();
    made_.bytes = in_one();
    return std::move(made_);
  }

 private:
  using status = tl::expected<void, std::string>;

  tl::unexpected<std::string> no_probes(std::string_view why) const {
    return tl::unexpected(fmt::format("'{}' can have no probes: {}", path_, why));
  }
  tl::unexpected<std::string> damaged(llvm::Error error) const {
    return tl::unexpected(fmt::format("'{}' is damaged: {}; build it again", path_, llvm::toString(std::move(error))));
  }
  bytes_span all() const { return {in_.base(), in_.getBufSize()}; }

  status find_text() {
    const auto& head = in_.getHeader();
    is_x86_ = head.e_machine == EM_X86_64;
    if (!is_x86_ && head.e_machine != EM_AARCH64)
      return no_probes(fmt::format("it is of ELF machine {}; x86-64 and AArch64 are known", unsigned{head.e_machine}));
    if (head.e_type != ET_EXEC && head.e_type != ET_DYN) return no_probes("it is not linked");
    auto segments = in_.program_headers();
    if (!segments) return damaged(segments.takeError());
    const file_of_elf::Elf_Phdr* text = nullptr;
    bool has_loader = false, has_dynamic = false;
    for (const auto& segment : *segments) {
      has_loader |= segment.p_type == PT_INTERP;
      has_dynamic |= segment.p_type == PT_DYNAMIC;
      if (segment.p_type == PT_DYNAMIC) read_dynamic(segment);
      if (segment.p_type == PT_GNU_EH_FRAME) unwind_ = &segment;
      if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
      if (text != nullptr) return no_probes("it has two executable segments");
      if ((segment.p_flags & PF_W) != 0) header_.flags |= morph_probe::has_text_relocations;
      text = &segment;
    }
    if (text == nullptr) return no_probes("it has no code");
    if (!has_loader && (!has_dynamic || is_static_pie_)) header_.flags |= morph_probe::is_static;
    is_library_ = !has_loader && !is_static();
    if (text->p_offset + text->p_filesz > in_.getBufSize()) return no_probes("it is cut off");
    constexpr std::uint64_t page = morph_probe::page_size;
    if (text->p_offset % page != text->p_vaddr % page) return no_probes("its text is not laid out by pages");
    const std::uint64_t before = text->p_offset % page;
    header_.text_address = text->p_vaddr - before;
    text_end_ = text->p_vaddr + text->p_filesz;
    header_.text_size = morph_probe::rounded_up(before + text->p_filesz, page);
    if (text_end_ > UINT32_MAX) return no_probes("its text lies beyond 4 GiB");
    // The page's rest has what the kernel would have mapped there: other bytes of the file.
    const std::uint64_t from = text->p_offset - before;
    text_.assign(reinterpret_cast<const char*>(in_.base() + from),
                 std::min(header_.text_size, in_.getBufSize() - from));
    text_.resize(header_.text_size);
    return {};
  }

  void read_dynamic(const file_of_elf::Elf_Phdr& segment) {
    for (std::uint64_t at = 0; at + 16 <= segment.p_filesz; at += 16) {
      const auto tag = read_at<std::uint64_t>(all(), segment.p_offset + at);
      const auto value = read_at<std::uint64_t>(all(), segment.p_offset + at + 8);
      if (!tag || !value || *tag == DT_NULL) break;
      if (*tag == DT_TEXTREL || (*tag == DT_FLAGS && (*value & DF_TEXTREL) != 0))
        header_.flags |= morph_probe::has_text_relocations;
      if (*tag == DT_FLAGS_1 && (*value & DF_1_PIE) != 0) is_static_pie_ = true;  // where there is no loader
      if (*tag == DT_PREINIT_ARRAY) header_.flags |= morph_probe::has_early_code;
    }
  }

  /// .eh_frame itself: static programs have no search table.
  status read_unwind_entries() {
    auto sections = in_.sections();
    if (!sections) return damaged(sections.takeError());
    auto names = in_.getSectionStringTable(*sections);
    if (!names) return damaged(names.takeError());
    for (const auto& section : *sections) {
      auto name = in_.getSectionName(section, *names);
      if (!name || *name != ".eh_frame") continue;
      auto bytes = in_.getSectionContents(section);
      if (!bytes) return damaged(bytes.takeError());
      constexpr unsigned size_of_address = 8;
      llvm::DWARFDebugFrame entries(is_x86_ ? llvm::Triple::x86_64 : llvm::Triple::aarch64, true, section.sh_addr);
      if (auto error = entries.parse(llvm::DWARFDataExtractor(*bytes, true, size_of_address)))
        return damaged(std::move(error));
      for (const llvm::dwarf::FrameEntry& entry : entries)
        if (const auto* const code = llvm::dyn_cast<llvm::dwarf::FDE>(&entry))
          compiled_.insert(code->getInitialLocation());
    }
    return {};
  }

  /// The search table of .eh_frame_hdr: where each piece of compiled code begins. What is no code, but called a
  /// function, has no entry there.
  status read_unwind_table() {
    if (unwind_ == nullptr) return is_static() ? read_unwind_entries() : status();
    const std::uint64_t at = unwind_->p_offset;
    const auto head = read_at<std::array<std::uint8_t, 4>>(all(), at);
    constexpr std::uint8_t pcrel_sdata4 = 0x1b, udata4 = 0x03, datarel_sdata4 = 0x3b;
    if (!head || *head != std::array<std::uint8_t, 4>{1, pcrel_sdata4, udata4, datarel_sdata4})
      return no_probes("its table of exceptions is of an unknown kind");
    const auto count = read_at<std::uint32_t>(all(), at + 8);
    if (!count) return no_probes("its table of exceptions is cut off");
    compiled_.reserve(*count);
    for (std::uint32_t i = 0; i < *count; ++i) {
      const auto begin = read_at<std::int32_t>(all(), at + 12 + 8ULL * i);
      if (!begin) return no_probes("its table of exceptions is cut off");
      compiled_.insert(unwind_->p_vaddr + static_cast<std::uint64_t>(std::int64_t{*begin}));
    }
    return {};
  }

  status read_functions() {
    auto sections = in_.sections();
    if (!sections) return damaged(sections.takeError());
    auto names_of_sections = in_.getSectionStringTable(*sections);
    if (!names_of_sections) return damaged(names_of_sections.takeError());
    std::vector<bool> has_functions(sections->size());
    bool has_symbols = false;
    for (std::size_t i = 0; i < sections->size(); ++i) {
      const auto& section = (*sections)[i];
      has_symbols |= section.sh_type == SHT_SYMTAB;
      auto name = in_.getSectionName(section, *names_of_sections);
      if (!name) return damaged(name.takeError());
      borders_.push_back(section.sh_addr + section.sh_size);
      has_functions[i] =
          (section.sh_flags & SHF_EXECINSTR) != 0 && !name->starts_with(".plt") && *name != ".init" && *name != ".fini";
    }
    if (!has_symbols) return no_probes("it is stripped: it has no symbols (.symtab)");
    for (const auto& section : *sections)
      if (section.sh_type == SHT_SYMTAB || section.sh_type == SHT_DYNSYM)
        if (auto read = read_symbols(section, has_functions); !read) return read;
    std::ranges::stable_sort(made_.functions, {}, &probed_function::address);
    unite_names();
    borders_.insert(borders_.end(), compiled_.begin(), compiled_.end());
    borders_.push_back(text_end_);
    add_blocks();
    std::ranges::sort(borders_);
    return {};
  }

  /// Where a symbol is in a function that symbol may be jumped to, by who has not these blocks.
  void add_blocks() {
    if (!is_x86_ || blocks_.empty()) return;
    std::map<std::string_view, std::size_t> counts;
    for (const probed_function& f : made_.functions)
      for (const std::string_view name : f.names) ++counts[name];
    std::vector<probed_function> all;
    for (std::size_t i = 0; i < made_.functions.size(); ++i) {
      const probed_function& f = made_.functions[i];
      all.push_back(f);
      const auto known = blocks_.find(f.names.front());
      if (known == blocks_.end() || known->second.size != f.size || counts[f.names.front()] != 1) continue;
      if (i + 1 < made_.functions.size() && made_.functions[i + 1].address < f.address + f.size) continue;
      const bool is_one = std::ranges::all_of(f.names, [&](std::string_view name) {
        const auto other = blocks_.find(name);
        return other != blocks_.end() && other->second.begins == known->second.begins;
      });
      if (!is_one || !compiled_.contains(f.address)) continue;
      for (const std::uint32_t begin : known->second.begins) {
        all.push_back({f.address + begin, 0, probe_kind::none, begin, f.names});
        borders_.push_back(f.address + begin);
      }
    }
    made_.functions = std::move(all);
    header_.functions = static_cast<std::uint32_t>(made_.functions.size());
  }

  status read_symbols(const file_of_elf::Elf_Shdr& section, const std::vector<bool>& has_functions) {
    auto symbols = in_.symbols(&section);
    if (!symbols) return damaged(symbols.takeError());
    auto strings = in_.getStringTableForSymtab(section);
    if (!strings) return damaged(strings.takeError());
    for (const auto& symbol : *symbols) {
      const unsigned kind = symbol.getType();
      borders_.push_back(symbol.st_value);
      if ((kind != STT_FUNC && kind != STT_GNU_IFUNC) || symbol.st_shndx == SHN_UNDEF) continue;
      if (symbol.st_shndx >= has_functions.size() || !has_functions[symbol.st_shndx]) continue;
      if (symbol.st_value < header_.text_address || symbol.st_value >= text_end_) continue;
      auto name = symbol.getName(*strings);
      if (!name) return damaged(name.takeError());
      if (is_of_start_files(view(*name)) || is_entered_by_jumps(view(*name))) continue;
      if (kind == STT_GNU_IFUNC) header_.flags |= morph_probe::has_early_code;
      made_.functions.push_back(
          {static_cast<std::uint32_t>(symbol.st_value), symbol.st_size, probe_kind::none, 0, {view(*name)}});
    }
    return {};
  }

  /// Functions at one address are one: aliases, constructors of two kinds, identical code folded by the linker.
  void unite_names() {
    auto& functions = made_.functions;
    std::size_t last = 0;
    for (std::size_t i = 1; i < functions.size(); ++i) {
      if (functions[i].address != functions[last].address) {
        if (++last != i) functions[last] = std::move(functions[i]);
        continue;
      }
      functions[last].size = std::max(functions[last].size, functions[i].size);
      if (std::ranges::find(functions[last].names, functions[i].names.front()) == functions[last].names.end())
        functions[last].names.push_back(functions[i].names.front());
    }
    if (!functions.empty()) functions.resize(last + 1);
    header_.functions = static_cast<std::uint32_t>(functions.size());
  }

  char* text_at(std::uint64_t address) { return text_.data() + (address - header_.text_address); }

  void count_names() {
    if (of_every_test_.empty()) return;
    for (const probed_function& f : made_.functions)
      for (const std::string_view name : f.names)
        if (f.block == 0 && of_every_test_.contains(function_of(name))) ++times_of_name_[function_of(name)];
  }

  /// Of two functions of one name it is not known which one it was.
  bool is_known_to_be_entered(const probed_function& f) const {
    if (of_every_test_.empty() || f.block != 0) return false;
    const auto is_kept = [&](std::string_view name) {
      return blocks_.contains(name) || is_getenv(name) || role_of(name.substr(0, name.find(".part.")));
    };
    return std::ranges::none_of(f.names, is_kept) && std::ranges::any_of(f.names, [&](std::string_view name) {
             const auto at = times_of_name_.find(function_of(name));
             return at != times_of_name_.end() && at->second == 1;
           });
  }

  probe_kind kind_for(std::size_t number) {
    probed_function& f = made_.functions[number];
    // The resolvers of a library may run before anybody could put probes there, and what they call.
    const bool may_be_early = is_library_ && (header_.flags & morph_probe::has_early_code) != 0;
    if (may_be_early || !compiled_.contains(f.address - f.block)) return probe_kind::none;
    if (std::ranges::any_of(f.names, is_of_sanitizer)) return probe_kind::none;
    f.is_of_every_test = is_known_to_be_entered(f);
    if (f.is_of_every_test) return probe_kind::none;
    if (!is_x86_) {
      std::uint32_t first;
      if (f.address % 4 != 0 || f.address + 4 > text_end_) return probe_kind::none;
      std::memcpy(&first, text_at(f.address), sizeof first);
      return first == brk ? probe_kind::none : probe_kind::trap;
    }
    const auto first = static_cast<std::uint8_t>(*text_at(f.address));
    if (first == int3) return probe_kind::none;
    const std::uint64_t next = *std::ranges::upper_bound(borders_, std::uint64_t{f.address});
    // A call would write below the stack of a function that calls nobody.
    if (f.block != 0 || header_.slot == 0 || next - f.address < 5 || first == call_opcode) return probe_kind::trap;
    return f.address % 8 <= 3 ? probe_kind::call : probe_kind::long_call;
  }

  void put_probes() {
    const std::uint64_t used = text_end_ - header_.text_address;
    const std::uint64_t slot = morph_probe::rounded_up(used, 16);
    if (is_x86_ && !is_static() && slot + morph_probe::jump_size <= header_.text_size) {
      header_.slot = static_cast<std::uint32_t>(slot);
      constexpr std::array<char, morph_probe::jump_size> jump{'\xff', '\x25'};
      std::memcpy(&text_[slot], jump.data(), jump.size());
    }
    first_bytes_.reserve(made_.functions.size());
    for (std::size_t i = 0; i < made_.functions.size(); ++i) {
      probed_function& f = made_.functions[i];
      std::uint64_t bytes = 0;
      std::memcpy(&bytes, text_at(f.address),
                  std::min<std::uint64_t>(8, text_.size() - (f.address - header_.text_address)));
      first_bytes_.push_back(bytes);
      f.kind = kind_for(i);
    }
    for (const probed_function& f : made_.functions) {
      char* const at = text_at(f.address);
      if (f.kind == probe_kind::trap && is_x86_) *at = static_cast<char>(int3);
      if (f.kind == probe_kind::trap && !is_x86_) std::memcpy(at, &brk, sizeof brk);
      if (f.kind != probe_kind::call && f.kind != probe_kind::long_call) continue;
      const auto distance = static_cast<std::int32_t>(header_.text_address + header_.slot - (f.address + 5ULL));
      *at = static_cast<char>(call_opcode);
      std::memcpy(at + 1, &distance, sizeof distance);
    }
  }

  /// main(), and GoogleTest's where its strings are laid out as the runtime reads them. Of a function whose beginning
  /// was inlined (`.part.0`) both have a hook.
  void find_hooks() {
    const auto is_known_string = [](const probed_function& f) {
      return std::ranges::any_of(f.names, [](std::string_view name) {
        return name.starts_with("_ZN7testing8TestInfoC") && name.find("NSt7__cxx1112basic_string") != name.npos;
      });
    };
    if (is_static()) return find_getenv();
    if (!is_x86_) return;
    const bool knows_strings = std::ranges::any_of(made_.functions, is_known_string);
    for (std::uint32_t i = 0; i < made_.functions.size(); ++i) {
      if (made_.functions[i].kind == probe_kind::none || made_.functions[i].block != 0) continue;
      for (const std::string_view name : made_.functions[i].names)
        if (const auto role = role_of(name.substr(0, name.find(".part.")));
            role && (knows_strings || role == morph_probe::hook_role::run_main)) {
          hooks_.push_back({i, *role});
          break;
        }
    }
    header_.hooks = static_cast<std::uint32_t>(hooks_.size());
  }

  void find_getenv() {
    for (std::uint32_t i = 0; i < made_.functions.size(); ++i)
      if (made_.functions[i].block == 0 && std::ranges::any_of(made_.functions[i].names, is_getenv))
        hooks_.push_back({i, morph_probe::hook_role::get_variable});
    header_.hooks = static_cast<std::uint32_t>(hooks_.size());
  }

  bool is_static() const { return (header_.flags & morph_probe::is_static) != 0; }

  std::string in_one() {
    const std::size_t n = made_.functions.size();
    std::string bytes(sizeof header_, '\0');
    const auto add = [&](const auto& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
    const auto pad = [&](std::size_t to) { bytes.resize(morph_probe::rounded_up(bytes.size(), to)); };
    bytes.reserve(bytes.size() + 14 * n + 2 * morph_probe::page_size + text_.size());
    for (const probed_function& f : made_.functions) add(f.address);
    pad(8);
    for (const std::uint64_t first : first_bytes_) add(first);
    for (const probed_function& f : made_.functions) add(f.kind);
    pad(8);
    for (const morph_probe::hook& hook : hooks_) add(hook);
    pad(morph_probe::page_size);
    header_.text_offset = bytes.size();
    std::memcpy(bytes.data(), &header_, sizeof header_);
    bytes += text_;
    return bytes;
  }

  const file_of_elf& in_;
  std::string_view path_;
  const symbols& of_every_test_;
  std::map<std::string_view, std::size_t> times_of_name_;  // of those in it: how many functions have it
  const blocked_functions& blocks_;
  morph_probe::table_header header_{};
  bool is_x86_ = false;
  bool is_library_ = false;
  bool is_static_pie_ = false;
  std::uint64_t text_end_ = 0;
  const file_of_elf::Elf_Phdr* unwind_ = nullptr;
  std::unordered_set<std::uint64_t> compiled_;  // addresses with unwind information
  std::vector<std::uint64_t> borders_;          // where something else may begin; a probe ends before
  std::string text_;
  std::vector<std::uint64_t> first_bytes_;
  std::vector<morph_probe::hook> hooks_;
  probe_table made_;
};

tl::expected<file_of_elf, std::string> open(std::string_view file, std::string_view path) {
  const auto no = [&](std::string_view why) {
    return tl::unexpected(fmt::format("'{}' can have no probes: {}", path, why));
  };
  if (file.size() < sizeof(file_of_elf::Elf_Ehdr) || !file.starts_with("\x7f"
                                                                       "ELF"))
    return no("it is no ELF file");
  if (file[EI_CLASS] != ELFCLASS64 || file[EI_DATA] != ELFDATA2LSB)
    return no("it is not of a 64-bit little-endian machine");
  auto in = file_of_elf::create({file.data(), file.size()});
  if (!in) return no(llvm::toString(in.takeError()));
  return *in;
}

std::string hex(bytes_span bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

/// The id in the notes of one segment; empty if it has none.
std::string build_id_in(bytes_span notes, std::uint64_t alignment) {
  for (std::uint64_t at = 0; at + 12 < notes.size();) {
    const auto name_size = *read_at<std::uint32_t>(notes, at), size = *read_at<std::uint32_t>(notes, at + 4);
    const auto type = *read_at<std::uint32_t>(notes, at + 8);
    const std::uint64_t id = at + 12 + morph_probe::rounded_up(name_size, 4);
    if (id > notes.size() || size > notes.size() - id) break;
    if (type == NT_GNU_BUILD_ID && name_size == 4 && std::memcmp(notes.data() + at + 12, "GNU", 4) == 0)
      return hex(notes.slice(id, size));
    at = id + morph_probe::rounded_up(size, alignment == 8 ? 8 : 4);
  }
  return {};
}

}  // namespace

bool is_entered_by_jumps(std::string_view symbol) {
  return symbol.ends_with(".cold") || symbol.find(".cold.") != std::string_view::npos;
}

std::string_view function_of(std::string_view symbol) {
  for (const std::string_view part : {".part.", ".constprop.", ".isra.", ".cold", ".lto_priv."})
    if (const auto at = symbol.find(part); at != std::string_view::npos && at > 0) symbol = symbol.substr(0, at);
  return symbol;
}

bool refuses_other_libraries(std::string_view file) {
  using namespace std::string_view_literals;
  constexpr std::string_view end = "san_init\0"sv;
  constexpr std::array begins{"\0__a"sv, "\0__hwa"sv, "\0__m"sv};
  for (auto at = file.find(end); at != std::string_view::npos; at = file.find(end, at + 1))
    if (std::ranges::any_of(begins, [&](std::string_view begin) { return file.substr(0, at).ends_with(begin); }))
      return true;
  return false;
}

tl::expected<probe_table, std::string> make_table(std::string_view file, std::string_view path,
                                                  const symbols& of_every_test, const blocked_functions& blocks) {
  const auto in = open(file, path);
  if (!in) return tl::unexpected(in.error());
  if (refuses_other_libraries(file))
    return tl::unexpected(fmt::format("'{}' can have no probes: the sanitizer in it replaces memory", path));
  return table_maker(*in, path, of_every_test, blocks).make();
}

tl::expected<std::string, std::string> key_of(std::string_view file, const std::string& path) {
  const auto in = open(file, path);
  if (!in) return tl::unexpected(in.error());
  auto segments = in->program_headers();
  if (!segments) return tl::unexpected(llvm::toString(segments.takeError()));
  for (const auto& segment : *segments) {
    if (segment.p_type != PT_NOTE || segment.p_offset > file.size() ||
        file.size() - segment.p_offset < segment.p_filesz)
      continue;
    const bytes_span notes(reinterpret_cast<const std::uint8_t*>(file.data()) + segment.p_offset, segment.p_filesz);
    if (std::string id = build_id_in(notes, segment.p_align); !id.empty()) return id;
  }
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return tl::unexpected(fmt::format("'{}': {}", path, std::strerror(errno)));
  return fmt::format("{:x}-{:x}-{:x}.{:x}", static_cast<std::uint64_t>(status.st_ino),
                     static_cast<std::uint64_t>(status.st_size), static_cast<std::uint64_t>(status.st_mtim.tv_sec),
                     static_cast<std::uint64_t>(status.st_mtim.tv_nsec));
}

}  // namespace morph::probe
