// What a linked ELF file offers others at run time, and asks of them.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <unordered_set>
#include <vector>

namespace morph::object {

struct dynamic_part {
  std::vector<std::string> needed;  // libraries, by their names
  std::vector<std::string> paths;   // where to look for them first; `$ORIGIN` is the file's folder
  std::unordered_set<std::string> defined;
  std::unordered_set<std::string> wanted;
  bool is_static = false;  // it has no such part
};

/// Linear in the dynamic symbols. An error says what is not supported, or damaged.
tl::expected<dynamic_part, std::string> read_dynamic(std::string_view bytes, std::string_view path);

}  // namespace morph::object
