// Flags of build.ninja and flags.make.
#include "plugin/build/optimization.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include "plugin/build/ninja_graph.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/lines.hpp"
#include "plugin/system/shell_words.hpp"

namespace morph::build {
namespace {

namespace fs = std::filesystem;

bool optimizes(std::string_view flags) {
  const auto words = system::shell_words(flags);
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return (word.starts_with("-O") && word != "-O0") || word.starts_with("-flto") || word == "-fimplicit-constexpr" ||
           word.starts_with("-finline") || word.starts_with("-fwhole-program") || word.starts_with("@");
  });
}

bool ninja_optimizes(const build_tree& tree) {
  build_graph graph(tree);
  const auto& all = graph.statements();
  bool compiles = false;
  const bool does = std::any_of(all.begin(), all.end(), [&](const build_statement& s) {
    if (s.what() != build_statement::kind::compile) return false;
    compiles = true;
    const auto flags = s.variables.find("FLAGS");
    return flags != s.variables.end() && optimizes(flags->second);
  });
  return does || !compiles;
}

bool make_optimizes(const build_tree& tree) {
  bool compiles = false;
  std::error_code error;
  for (fs::recursive_directory_iterator at(tree.binary_dir, error), end; !error && at != end; at.increment(error)) {
    if (at->path().filename() == "morph-twin") at.disable_recursion_pending();
    if (at->path().filename() != "flags.make") continue;
    const auto text = system::read_file(at->path());
    if (!text) return true;
    compiles = true;
    for (std::string_view rest = *text; !rest.empty();) {
      const std::string_view line = system::next_line(rest);
      if (line.find("FLAGS = ") != std::string_view::npos && optimizes(line)) return true;
    }
  }
  return error || !compiles;
}

}  // namespace

bool is_unoptimized(const build_tree& tree) {
  if (tree.generator == "Ninja") return !ninja_optimizes(tree);
  if (tree.generator == "Unix Makefiles") return !make_optimizes(tree);
  return false;
}

}  // namespace morph::build
