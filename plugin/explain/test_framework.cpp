// Includes first, then what suites declare.
#include "plugin/explain/test_framework.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <regex>
#include <set>

#include "plugin/frameworks/test_sources.hpp"
#include "plugin/system/files.hpp"

namespace morph::explain {
namespace {

namespace fs = std::filesystem;

constexpr std::array known{"gtest", "catch2", "doctest"};
constexpr int most_depth = 4;  // of headers that include headers

std::string first_known(const std::set<std::string>& found) {
  const auto* const at = std::ranges::find_if(known, [&](const char* each) { return found.contains(each); });
  return at == known.end() ? std::string() : *at;
}

std::string included_by(const fs::path& file, std::set<fs::path>& seen, int depth) {
  if (depth > most_depth || !seen.insert(file).second) return {};
  const auto text = system::read_file(file);
  if (!text) return {};
  if (std::string found = first_known(frameworks::frameworks_of_source(*text)); !found.empty()) return found;
  static const std::regex quoted("(^|\n)[ \t]*#[ \t]*include[ \t]*\"([^\"\n]+)\"");
  for (std::sregex_iterator at(text->begin(), text->end(), quoted), end; at != end; ++at)
    if (std::string found = included_by((file.parent_path() / (*at)[2].str()).lexically_normal(), seen, depth + 1);
        !found.empty())
      return found;
  return {};
}

}  // namespace

std::string framework_of_tests(const build::build_tree& tree, const std::string& file) {
  std::set<fs::path> seen;
  if (std::string found = included_by((tree.source_dir / file).lexically_normal(), seen, 0); !found.empty())
    return found;
  std::set<std::string> declared;
  for (const build::suite& each : tree.suites)
    if (std::ranges::find(known, each.framework) != known.end()) declared.insert(each.framework);
  return declared.size() == 1 ? *declared.begin() : "gtest";
}

}  // namespace morph::explain
