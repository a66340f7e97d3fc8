// Which table of exceptions belongs to which function.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "coverage/object/read/elf.hpp"

namespace morph::object {

struct exception_table {
  std::uint32_t section;
  std::uint64_t begin, end;  // as the object says: the end may be out of the section
};

/// By section and address of the function.
using exception_tables = std::map<std::pair<std::uint32_t, std::uint64_t>, exception_table>;

exception_tables find_exception_tables(const elf_object& object);

/// Whether it has types: without, a function only cleans up.
bool catches(const elf_object& object, const exception_table& table);

}  // namespace morph::object
