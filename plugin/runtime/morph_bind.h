// Binds what the C++ runtime library calls, before the first test.
//
// The dynamic linker looks a function up when it is called for the first time. Without this each test's process would
// look up the same ones, some of them when it ends, and copy the pages that keep the answers. LD_BIND_NOW would change
// what programs load later, too.
#ifndef MORPH_RUNTIME_BIND_H
#define MORPH_RUNTIME_BIND_H

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace {

#if defined(__x86_64__) && defined(__GLIBC__)

const size_t most_versions = 256;

// Of an object that is loaded.
struct dynamic_tables {
  const ElfW(Rela) * calls;
  size_t call_count;
  const ElfW(Sym) * symbols;
  const char* names;
  const ElfW(Half) * versions;  // of each symbol
  const char* version_names[most_versions];
  bool is_bound;  // when it was loaded
};

// glibc has made addresses of most of them.
const char* dynamic_address(const dl_phdr_info& info, ElfW(Addr) value) {
  return reinterpret_cast<const char*>(value < info.dlpi_addr ? info.dlpi_addr + value : value);
}

void read_version_names(const char* needed, size_t needed_count, const char* defined, size_t defined_count,
                        dynamic_tables* tables) {
  for (size_t i = 0; i < needed_count; ++i) {
    const ElfW(Verneed)* const need = reinterpret_cast<const ElfW(Verneed)*>(needed);
    const char* at = needed + need->vn_aux;
    for (size_t k = 0; k < need->vn_cnt; ++k) {
      const ElfW(Vernaux)* const version = reinterpret_cast<const ElfW(Vernaux)*>(at);
      if (version->vna_other < most_versions)
        tables->version_names[version->vna_other] = tables->names + version->vna_name;
      at += version->vna_next;
    }
    needed += need->vn_next;
  }
  for (size_t i = 0; i < defined_count; ++i) {
    const ElfW(Verdef)* const definition = reinterpret_cast<const ElfW(Verdef)*>(defined);
    const ElfW(Verdaux)* const name = reinterpret_cast<const ElfW(Verdaux)*>(defined + definition->vd_aux);
    if (definition->vd_ndx < most_versions) tables->version_names[definition->vd_ndx] = tables->names + name->vda_name;
    defined += definition->vd_next;
  }
}

void read_dynamic(const dl_phdr_info& info, const ElfW(Dyn) * entry, dynamic_tables* tables) {
  const char *needed = nullptr, *defined = nullptr;
  size_t needed_count = 0, defined_count = 0;
  for (; entry->d_tag != DT_NULL; ++entry) {
    const char* const address = dynamic_address(info, entry->d_un.d_ptr);
    const ElfW(Xword) value = entry->d_un.d_val;
    switch (entry->d_tag) {
      case DT_JMPREL:
        tables->calls = reinterpret_cast<const ElfW(Rela)*>(address);
        break;
      case DT_PLTRELSZ:
        tables->call_count = value / sizeof(ElfW(Rela));
        break;
      case DT_SYMTAB:
        tables->symbols = reinterpret_cast<const ElfW(Sym)*>(address);
        break;
      case DT_STRTAB:
        tables->names = address;
        break;
      case DT_VERSYM:
        tables->versions = reinterpret_cast<const ElfW(Half)*>(address);
        break;
      case DT_VERNEED:
        needed = address;
        break;
      case DT_VERNEEDNUM:
        needed_count = value;
        break;
      case DT_VERDEF:
        defined = address;
        break;
      case DT_VERDEFNUM:
        defined_count = value;
        break;
      case DT_BIND_NOW:
      case DT_SYMBOLIC:
        tables->is_bound = true;
        break;
      case DT_FLAGS:
        tables->is_bound = tables->is_bound || (value & (DF_BIND_NOW | DF_SYMBOLIC)) != 0;
        break;
      case DT_FLAGS_1:
        tables->is_bound = tables->is_bound || (value & DF_1_NOW) != 0;
        break;
      default:
        break;
    }
  }
  if (tables->names != nullptr) read_version_names(needed, needed_count, defined, defined_count, tables);
}

bool is_runtime_library(const char* path) {
  const char* const slash = strrchr(path, '/');
  const char* const name = slash == nullptr ? path : slash + 1;
  for (const char* const prefix : {"libstdc++.so", "libgcc_s.so", "libm.so", "libc++.so", "libc++abi.so"})
    if (strncmp(name, prefix, strlen(prefix)) == 0) return true;
  return false;
}

const size_t most_libraries = 8;

struct libraries {
  dl_phdr_info info[most_libraries];
  size_t count;
};

int collect_library(dl_phdr_info* info, size_t size, void* to) {
  libraries& all = *static_cast<libraries*>(to);
  if (info->dlpi_name == nullptr || !is_runtime_library(info->dlpi_name)) return 0;
  if (all.count < most_libraries) memcpy(&all.info[all.count++], info, size < sizeof *info ? size : sizeof *info);
  return 0;
}

void bind_calls_of(const dl_phdr_info* info) {
  const ElfW(Phdr)* dynamic = nullptr;
  ElfW(Addr) end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    if (part.p_type == PT_DYNAMIC) dynamic = &part;
    if (part.p_type == PT_LOAD && part.p_vaddr + part.p_memsz > end) end = part.p_vaddr + part.p_memsz;
  }
  if (dynamic == nullptr) return;
  dynamic_tables tables;
  memset(&tables, 0, sizeof tables);
  read_dynamic(*info, reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + dynamic->p_vaddr), &tables);
  if (tables.is_bound || tables.calls == nullptr || tables.symbols == nullptr || tables.versions == nullptr) return;
  for (size_t i = 0; i < tables.call_count; ++i) {
    const ElfW(Rela)& call = tables.calls[i];
    if (ELF64_R_TYPE(call.r_info) != R_X86_64_JUMP_SLOT) continue;
    ElfW(Addr)* const slot = reinterpret_cast<ElfW(Addr)*>(info->dlpi_addr + call.r_offset);
    // What has been looked up is elsewhere, or a function of its own, which is found once more.
    if (*slot < info->dlpi_addr || *slot >= info->dlpi_addr + end) continue;
    const size_t symbol = ELF64_R_SYM(call.r_info);
    const size_t version = tables.versions[symbol] & 0x7fff;
    if (version <= VER_NDX_GLOBAL || version >= most_versions || tables.version_names[version] == nullptr) continue;
    const char* const name = tables.names + tables.symbols[symbol].st_name;
    const void* const function = dlvsym(RTLD_DEFAULT, name, tables.version_names[version]);
    // What the program itself defines has no version, and would do: that is left to the dynamic linker.
    if (function == nullptr || dlsym(RTLD_DEFAULT, name) != function) continue;
    const ElfW(Addr) found = reinterpret_cast<ElfW(Addr)>(function);
    if (*slot != found) __atomic_store_n(slot, found, __ATOMIC_RELAXED);
  }
}

void bind_runtime_libraries() {
  libraries all;
  memset(&all, 0, sizeof all);
  dl_iterate_phdr(collect_library, &all);
  for (size_t i = 0; i < all.count; ++i) bind_calls_of(&all.info[i]);
  dlerror();
}

#else

void bind_runtime_libraries() {}

#endif

}  // namespace

#endif
