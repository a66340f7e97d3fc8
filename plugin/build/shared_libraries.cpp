// ELF headers, ld.so.cache, and the search of ld.so.
#include "plugin/build/shared_libraries.hpp"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "plugin/git/repository.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::build {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// A file in memory, of which only what is looked at is read.
class mapped_file {
 public:
  explicit mapped_file(const fs::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat facts {};
    if (file >= 0 && ::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0) {
      size_ = static_cast<std::size_t>(facts.st_size);
      data_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    }
    if (file >= 0) ::close(file);
  }
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;
  ~mapped_file() {
    if (data_ != MAP_FAILED) ::munmap(data_, size_);
  }
  std::string_view bytes() const {
    return data_ == MAP_FAILED ? std::string_view() : std::string_view(static_cast<const char*>(data_), size_);
  }

 private:
  void* data_ = MAP_FAILED;
  std::size_t size_ = 0;
};

template <typename Value>
std::optional<Value> value_at(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(Value)) return std::nullopt;
  Value value;
  std::memcpy(&value, bytes.data() + offset, sizeof(Value));
  return value;
}

std::string text_at(std::string_view bytes, std::uint64_t offset) {
  if (offset >= bytes.size()) return {};
  return std::string(bytes.substr(offset, bytes.find('\0', offset) - offset));
}

/// What the loader reads of a program or library.
struct elf_facts {
  std::uint16_t machine = 0;
  std::vector<std::string> needed, rpath, runpath;
  std::string build_id;
};

std::vector<std::string> folders_of(const std::string& list, const fs::path& origin) {
  std::vector<std::string> folders;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(':', at), list.size());
    std::string folder = list.substr(at, end - at);
    at = end + 1;
    for (const char* variable : {"$ORIGIN", "${ORIGIN}"})
      for (std::size_t place; (place = folder.find(variable)) != std::string::npos;)
        folder.replace(place, std::strlen(variable), origin.string());
    if (!folder.empty()) folders.push_back(std::move(folder));
  }
  return folders;
}

std::string build_id_in(std::string_view notes) {
  for (std::uint64_t at = 0;;) {
    const auto head = value_at<Elf64_Nhdr>(notes, at);
    if (!head) return {};
    const auto padded = [](std::uint64_t size) { return (size + 3) / 4 * 4; };
    const std::uint64_t name = at + sizeof(Elf64_Nhdr), content = name + padded(head->n_namesz);
    if (content > notes.size() || notes.size() - content < head->n_descsz) return {};
    if (head->n_type == NT_GNU_BUILD_ID && notes.substr(name, 4) == std::string_view("GNU\0", 4)) {
      std::string id;
      for (const char c : notes.substr(content, head->n_descsz))
        id += fmt::format("{:02x}", static_cast<unsigned char>(c));
      return id;
    }
    at = content + padded(head->n_descsz);
  }
}

std::optional<elf_facts> read_elf(const fs::path& path) {
  const mapped_file file(path);
  const std::string_view bytes = file.bytes();
  const auto head = value_at<Elf64_Ehdr>(bytes, 0);
  if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64 ||
      head->e_ident[EI_DATA] != ELFDATA2LSB || head->e_phentsize != sizeof(Elf64_Phdr))
    return std::nullopt;
  elf_facts facts;
  facts.machine = head->e_machine;
  std::vector<Elf64_Phdr> loads;
  std::optional<Elf64_Phdr> dynamic;
  for (std::uint64_t i = 0; i < head->e_phnum; ++i) {
    const auto segment = value_at<Elf64_Phdr>(bytes, head->e_phoff + i * sizeof(Elf64_Phdr));
    if (!segment) return std::nullopt;
    if (segment->p_type == PT_LOAD) loads.push_back(*segment);
    if (segment->p_type == PT_DYNAMIC) dynamic = *segment;
    if (segment->p_type == PT_NOTE && segment->p_offset <= bytes.size() && facts.build_id.empty())
      facts.build_id = build_id_in(bytes.substr(segment->p_offset, segment->p_filesz));
  }
  if (!dynamic) return facts;
  std::vector<Elf64_Dyn> entries;
  std::uint64_t strings = 0;
  for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= dynamic->p_filesz; at += sizeof(Elf64_Dyn)) {
    const auto entry = value_at<Elf64_Dyn>(bytes, dynamic->p_offset + at);
    if (!entry || entry->d_tag == DT_NULL) break;
    entries.push_back(*entry);
    if (entry->d_tag == DT_STRTAB) strings = entry->d_un.d_ptr;
  }
  const auto load = std::find_if(loads.begin(), loads.end(), [&](const Elf64_Phdr& l) {
    return l.p_vaddr <= strings && strings - l.p_vaddr < l.p_filesz;
  });
  if (load == loads.end()) return facts;
  strings = strings - load->p_vaddr + load->p_offset;
  for (const Elf64_Dyn& entry : entries) {
    const auto text = [&] { return text_at(bytes, strings + entry.d_un.d_val); };
    if (entry.d_tag == DT_NEEDED) facts.needed.push_back(text());
    if (entry.d_tag == DT_RPATH) facts.rpath = folders_of(text(), path.parent_path());
    if (entry.d_tag == DT_RUNPATH) facts.runpath = folders_of(text(), path.parent_path());
  }
  return facts;
}

class loader_search {
 public:
  explicit loader_search(const std::string& library_path)
      : variable_(folders_of(library_path, "")), cache_("/etc/ld.so.cache") {}

  std::vector<needed_library> of(const fs::path& program) && {
    if (const auto facts = read_elf(program)) {
      machine_ = facts->machine;
      add_needed(*facts, {});
    }
    std::vector<needed_library> found;
    for (auto& [path, by_variable] : found_) found.push_back({path, by_variable});
    return found;
  }

 private:
  /// `inherited`: RPATHs of those that asked for it, which hold for what has no RUNPATH.
  void add_needed(const elf_facts& of, std::vector<std::string> inherited) {
    if (of.runpath.empty()) inherited.insert(inherited.begin(), of.rpath.begin(), of.rpath.end());
    for (const std::string& name : of.needed) {
      if (name.find('/') != std::string::npos) {
        add(name, false, inherited);
        continue;
      }
      if (of.runpath.empty() && add_first(inherited, name, false, inherited)) continue;
      if (add_first(variable_, name, true, inherited) || add_first(of.runpath, name, false, inherited)) continue;
      bool any = false;
      for (const std::string& path : paths_in_loader_cache(cache_.bytes(), name)) any |= add(path, false, inherited);
      if (!any) add_first({"/lib64", "/usr/lib64", "/lib", "/usr/lib"}, name, false, inherited);
    }
  }

  bool add_first(const std::vector<std::string>& folders, const std::string& name, bool by_variable,
                 const std::vector<std::string>& inherited) {
    return std::any_of(folders.begin(), folders.end(),
                       [&](const std::string& folder) { return add(fs::path(folder) / name, by_variable, inherited); });
  }

  /// False if there is no such library for this machine.
  bool add(const fs::path& path, bool by_variable, const std::vector<std::string>& inherited) {
    if (found_.count(path.string()) != 0) return true;
    const auto facts = read_elf(path);
    if (!facts || facts->machine != machine_) return false;
    found_.emplace(path.string(), by_variable);
    add_needed(*facts, inherited);
    return true;
  }

  std::vector<std::string> variable_;
  mapped_file cache_;
  std::uint16_t machine_ = 0;
  std::map<std::string, bool> found_;
};

}  // namespace

std::vector<std::string> paths_in_loader_cache(std::string_view cache, std::string_view soname) {
  // glibc's format since 2.2, behind one of older loaders or alone.
  constexpr std::string_view magic = "glibc-ld.so.cache1.1";
  struct header {
    char name[20];
    std::uint32_t count, string_size;
    std::uint32_t unused[5];
  };
  struct entry {
    std::int32_t flags;
    std::uint32_t key, value, os;
    std::uint64_t processor;
  };
  const auto start = cache.find(magic);
  if (start == std::string_view::npos) return {};
  const std::string_view table = cache.substr(start);
  const auto head = value_at<header>(table, 0);
  std::vector<std::string> paths;
  for (std::uint64_t i = 0; head && i < head->count; ++i) {
    const auto one = value_at<entry>(table, sizeof(header) + i * sizeof(entry));
    if (!one) break;
    if (table.substr(std::min<std::size_t>(one->key, table.size())).starts_with(soname) &&
        text_at(table, one->key) == soname)
      paths.push_back(text_at(table, one->value));
  }
  return paths;
}

std::vector<needed_library> needed_libraries(const fs::path& program, const std::string& library_path) {
  return loader_search(library_path).of(program);
}

std::optional<std::string> build_id_of(const fs::path& library) {
  const auto facts = read_elf(library);
  if (!facts || facts->build_id.empty()) return std::nullopt;
  return facts->build_id;
}

struct library_identities::contents {
  json files = json::object();  // path -> [size, time, identity]
  bool changed = false;
};

library_identities::library_identities(fs::path cache) : cache_(std::move(cache)), known_(new contents) {
  const auto text = cache_.empty() ? tl::unexpected(std::string()) : system::read_file(cache_);
  if (auto files = text ? json::parse(*text, nullptr, false) : json(); files.is_object())
    known_->files = std::move(files);
}

library_identities::~library_identities() {
  // What cannot be written is read again the next time.
  if (known_->changed && !cache_.empty())
    static_cast<void>(system::write_file_atomically(cache_, json_text(known_->files)));
}

std::optional<std::string> library_identities::of(const fs::path& library) {
  struct stat facts {};
  if (::stat(library.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  const json stamp{facts.st_size, std::int64_t{facts.st_mtim.tv_sec} * 1'000'000'000 + facts.st_mtim.tv_nsec};
  json& known = known_->files[library.string()];
  if (known.is_array() && known.size() == 3 && known[0] == stamp[0] && known[1] == stamp[1] && known[2].is_string())
    return known[2].get<std::string>();
  std::string identity;
  if (const auto id = build_id_of(library)) {
    identity = "build id " + *id;
  } else {
    const auto content = system::read_file(library);
    if (!content) return std::nullopt;
    identity = fmt::format("{} bytes {}", content->size(), git::blob_hash(*content));
  }
  known = {stamp[0], stamp[1], identity};
  known_->changed = true;
  return identity;
}

}  // namespace morph::build
