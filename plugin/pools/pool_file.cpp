// Reads identifiers and files of pools.
#include "plugin/pools/pool_file.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace morph::pools {

using nlohmann::json;

std::set<std::string> ids_in_pool(const std::string& file) {
  std::vector<std::string> ids;
  std::ifstream in(file);
  // As `save_pool` writes it: then nothing else has to be read.
  constexpr std::string_view begin = "{\"id\":\"";
  constexpr std::size_t digits = 16;
  for (std::string line; std::getline(in, line);) {
    const std::size_t end = begin.size() + digits;
    if (line.starts_with(begin) && line.size() > end + 1 && line[end] == '"' && line[end + 1] == ',') {
      ids.push_back(line.substr(begin.size(), digits));
      continue;
    }
    const json each = json::parse(line, nullptr, false);
    if (each.is_object() && each.contains("id") && each["id"].is_string()) ids.push_back(each["id"]);
  }
  std::sort(ids.begin(), ids.end());
  return {ids.begin(), ids.end()};
}

std::string spec_of_pool(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  const json head = json::parse(line, nullptr, false);
  return head.is_object() ? head.value("spec", "") : std::string();
}

}  // namespace morph::pools
