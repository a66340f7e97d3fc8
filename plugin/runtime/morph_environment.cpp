// getenv() and secure_getenv(), and the names that they were asked for. No locks and no memory of others: they are
// called before any constructor and in signal handlers.
#include "morph_environment.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

namespace {

const size_t most_names = 2048;  // a power of two
const size_t most_bytes = 65536;
const size_t longest_name = 1024;

uint64_t known[most_names];  // hashes
char names[most_bytes];
size_t used;
void (*tell_name)(const char*);

bool is_known(uint64_t hash) {
  for (size_t i = 0; i < most_names; ++i) {
    uint64_t* const slot = &known[(hash + i) % most_names];
    uint64_t found = 0;
    if (__atomic_compare_exchange_n(slot, &found, hash, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return false;
    if (found == hash) return true;
  }
  return false;
}

// FNV-1a.
uint64_t hash_of(const char* name, size_t size) {
  uint64_t hash = 14695981039346656037ULL;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ static_cast<unsigned char>(name[i])) * 1099511628211ULL;
  return hash == 0 ? 1 : hash;
}

void note(const char* name, size_t size) {
  if (strncmp(name, "MORPH_", 6) == 0) return;  // we asked
  if (size == 0 || size > longest_name || is_known(hash_of(name, size))) return;
  const size_t at = __atomic_fetch_add(&used, size + 1, __ATOMIC_RELAXED);
  if (at + size + 1 <= most_bytes) memcpy(names + at, name, size + 1);
  void (*const tell)(const char*) = __atomic_load_n(&tell_name, __ATOMIC_ACQUIRE);
  if (tell != nullptr) tell(name);
}

char* value_of(const char* name) {
  if (environ == nullptr) return nullptr;
  const size_t size = strlen(name);
  note(name, size);
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (strncmp(*entry, name, size) == 0 && (*entry)[size] == '=') return *entry + size + 1;
  return nullptr;
}

}  // namespace

// Weak: a program may have its own.
extern "C" __attribute__((weak, visibility("default"))) char* getenv(const char* name) noexcept {
  return value_of(name);
}

extern "C" __attribute__((weak, visibility("default"))) char* secure_getenv(const char* name) noexcept {
  return getauxval(AT_SECURE) == 0 ? value_of(name) : nullptr;
}

namespace morph_runtime {

const char* variables_read(size_t* bytes) {
  const size_t written = __atomic_load_n(&used, __ATOMIC_RELAXED);
  *bytes = written < most_bytes ? written : most_bytes;
  return names;
}

void know_variables(const char* told, size_t bytes) {
  for (size_t at = 0; at < bytes;) {
    const size_t size = strnlen(told + at, bytes - at);
    if (at + size < bytes) is_known(hash_of(told + at, size));
    at += size + 1;
  }
}

void tell_variables(void (*tell)(const char* name)) {
  __atomic_store_n(&tell_name, tell, __ATOMIC_RELEASE);
}

}  // namespace morph_runtime
