// Flags of build.ninja and flags.make; which compilers CMake has found.
#include "plugin/build/compiler_flags.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "plugin/build/ninja_graph.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/lines.hpp"
#include "plugin/system/shell_words.hpp"

namespace morph::build {
namespace {

namespace fs = std::filesystem;

bool optimizes(std::string_view word) {
  return (word.starts_with("-O") && word != "-O0") || word.starts_with("--optimize") || word.starts_with("-flto") ||
         word.starts_with("-finline") || word.starts_with("-fwhole-program") || word == "-fimplicit-constexpr" ||
         word.starts_with("@");
}

/// Words of all commands, each once; nothing if there is no record of one.
std::optional<std::set<std::string>> flags_of(const build_tree& tree) {
  std::set<std::string> words;
  bool compiles = false;
  const auto add = [&](std::string_view flags) {
    compiles = true;
    for (std::string& word : system::shell_words(flags)) words.insert(std::move(word));
  };
  if (tree.generator == "Ninja") {
    build_graph graph(tree);
    for (const build_statement& s : graph.statements())
      if (s.what() == build_statement::kind::compile)
        for (const char* name : {"FLAGS", "DEFINES"}) {
          const auto at = s.variables.find(name);
          add(at == s.variables.end() ? std::string() : at->second);
        }
  } else if (tree.generator == "Unix Makefiles") {
    std::error_code error;
    for (fs::recursive_directory_iterator at(tree.binary_dir, error), end; !error && at != end; at.increment(error)) {
      if (at->path().filename() == "morph-twin") at.disable_recursion_pending();
      if (at->path().filename() != "flags.make") continue;
      const auto text = system::read_file(at->path());
      if (!text) return std::nullopt;
      for (std::string_view rest = *text; !rest.empty();) {
        const std::string_view line = system::next_line(rest);
        const auto equals = line.find(" = ");
        if (equals != std::string_view::npos) add(line.substr(equals + 3));
      }
    }
    if (error) return std::nullopt;
  }
  if (!compiles) return std::nullopt;
  return words;
}

/// Of `set(CMAKE_CXX_COMPILER_ID "GNU")` and the like.
std::string value_of(const std::string& text, const std::string& variable) {
  const std::string set = "set(" + variable + " \"";
  const auto at = text.find(set);
  if (at == std::string::npos) return {};
  const auto first = at + set.size();
  return text.substr(first, text.find('"', first) - first);
}

/// What optimizes without a flag that CMake writes down is none of these, or has an argument of its own.
bool has_plain_compilers(const build_tree& tree) {
  std::error_code error;
  bool has_any = false;
  for (const auto& folder : fs::directory_iterator(tree.binary_dir / "CMakeFiles", error))
    for (const std::string language : {"C", "CXX"}) {
      const auto text = system::read_file(folder.path() / ("CMake" + language + "Compiler.cmake"));
      if (!text) continue;
      has_any = true;
      const std::string id = value_of(*text, "CMAKE_" + language + "_COMPILER_ID");
      const auto arguments = system::shell_words(value_of(*text, "CMAKE_" + language + "_COMPILER_ARG1"));
      if (id != "GNU" && id != "Clang") return false;
      if (std::any_of(arguments.begin(), arguments.end(), optimizes)) return false;
    }
  return has_any;
}

}  // namespace

bool is_unoptimized(const build_tree& tree) {
  const auto words = flags_of(tree);
  return words && has_plain_compilers(tree) && std::none_of(words->begin(), words->end(), optimizes);
}

std::string definitions_on_command_lines(const build_tree& tree) {
  std::string lines;
  for (const std::string& word : flags_of(tree).value_or(std::set<std::string>())) {
    if (!word.starts_with("-D") || word.size() == 2) continue;
    std::string definition = word.substr(2);
    if (const auto equals = definition.find('='); equals != std::string::npos) definition[equals] = ' ';
    lines += "#define " + definition + "\n";
  }
  return lines;
}

}  // namespace morph::build
