// Files are cut into lines as they are asked for.
#include "plugin/report/work_tree.hpp"

#include <sstream>

#include "plugin/system/files.hpp"

namespace morph::report {

const std::vector<std::string>& work_tree_text::lines(const std::string& path) {
  const auto [at, added] = files_.try_emplace(path);
  if (added) {
    const auto content = system::read_file(root_ / path);
    std::istringstream text(content ? *content : std::string());
    for (std::string line; std::getline(text, line);) at->second.push_back(std::move(line));
  }
  return at->second;
}

std::string work_tree_text::line(const std::string& path, std::uint32_t number) {
  const auto& all = lines(path);
  if (number == 0 || number > all.size()) return {};
  const std::string& text = all[number - 1];
  const auto first = text.find_first_not_of(" \t\r");
  return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace morph::report
