// Who makes what out of what, as far as the generated build files say it.
#include "plugin/project/build_tools.hpp"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "plugin/project/files.hpp"

namespace morph::project {
namespace {

namespace fs = std::filesystem;

struct product {
  enum class kind { object, library, program, generated, other } what = kind::other;
  std::vector<std::string> inputs;
};
using products = std::map<std::string, product>;

/// CMake's own marks for custom targets.
bool is_mark(std::string_view output) {
  return output.starts_with("CMakeFiles/") || output.find("/CMakeFiles/") != std::string_view::npos;
}

void collect_objects(const products& made, const std::string& output, std::set<std::string>& seen,
                     std::set<std::string>& objects) {
  if (!seen.insert(output).second) return;
  if (output.ends_with(".o")) {
    objects.insert(output);
    return;
  }
  const auto at = made.find(output);
  if (at == made.end() || at->second.what == product::kind::generated) return;
  for (const std::string& input : at->second.inputs) collect_objects(made, input, seen, objects);
}

std::set<std::string> tool_objects(const products& made) {
  std::set<std::string> seen, objects;
  for (const auto& [output, made_of] : made) {
    if (made_of.what != product::kind::generated || is_mark(output)) continue;
    for (const std::string& input : made_of.inputs)
      if (const auto at = made.find(input); at != made.end() && at->second.what == product::kind::program)
        collect_objects(made, input, seen, objects);
  }
  return objects;
}

std::string_view next_line(std::string_view& text) {
  const auto end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

/// The words of a build statement, `$ ` and `$:` undone; `:`, `|` and `||` are words of their own.
std::vector<std::string> ninja_words(std::string_view line) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '$' && i + 1 < line.size() && std::string_view(" :$").find(line[i + 1]) != std::string_view::npos) {
      words.back().push_back(line[++i]);
    } else if (c == ' ') {
      if (!words.back().empty()) words.emplace_back();
    } else if (c == ':') {
      words.insert(words.end(), {":", ""});
    } else {
      words.back().push_back(c);
    }
  }
  return words;
}

product::kind kind_of_rule(std::string_view rule) {
  if (rule == "CUSTOM_COMMAND") return product::kind::generated;
  if (rule.find("_EXECUTABLE_LINKER_") != std::string_view::npos) return product::kind::program;
  if (rule.find("_LIBRARY_LINKER_") != std::string_view::npos) return product::kind::library;
  return product::kind::other;
}

}  // namespace

std::set<std::string> ninja_tool_objects(std::string_view text) {
  products made;
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (!line.starts_with("build ")) continue;
    const std::vector<std::string> words = ninja_words(line.substr(6));
    std::vector<std::string> outputs;
    std::size_t at = 0;
    for (; at < words.size() && words[at] != ":"; ++at)
      if (!words[at].empty() && words[at] != "|" && !words[at].starts_with("${")) outputs.push_back(words[at]);
    ++at;
    while (at < words.size() && words[at].empty()) ++at;
    if (at >= words.size()) continue;
    product p{kind_of_rule(words[at]), {}};
    for (++at; at < words.size() && words[at] != "||"; ++at)
      if (!words[at].empty() && words[at] != "|") p.inputs.push_back(words[at]);
    for (const std::string& output : outputs) made[output] = p;
  }
  return tool_objects(made);
}

std::set<std::string> make_tool_objects(std::string_view text) {
  products made;
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    const auto colon = line.find(": ");
    if (colon == std::string_view::npos || line.empty() || line.front() == '#' || line.front() == '\t') continue;
    std::string output, input;
    const auto unescaped = [](std::string_view from, std::string& to) {
      for (std::size_t i = 0; i < from.size(); ++i)
        if (from[i] != '\\' || i + 1 == from.size() || from[i + 1] != ' ') to.push_back(from[i]);
    };
    unescaped(line.substr(0, colon), output);
    unescaped(line.substr(colon + 2), input);
    product& p = made[output];
    p.inputs.push_back(input);
    const bool is_library = output.ends_with(".a") || output.find(".so") != std::string::npos;
    if (input.ends_with("/link.txt")) p.what = is_library ? product::kind::library : product::kind::program;
  }
  for (auto& [output, p] : made)
    if (p.what == product::kind::other && !output.ends_with(".o")) p.what = product::kind::generated;
  return tool_objects(made);
}

result<std::set<std::string>> objects_of_build_tools(const build_tree& tree) {
  if (tree.generator.starts_with("Ninja")) {
    const auto text = read_file(tree.binary_dir / "build.ninja");
    if (!text) return tl::unexpected(text.error());
    return ninja_tool_objects(*text);
  }
  std::string all;
  std::error_code error;
  for (fs::recursive_directory_iterator at(tree.binary_dir, error), last; !error && at != last; at.increment(error)) {
    if (at->path().filename() != "build.make") continue;
    const auto text = read_file(at->path());
    if (!text) return tl::unexpected(text.error());
    all += *text + "\n";
  }
  if (error) return tl::unexpected(fmt::format("reading '{}': {}", tree.binary_dir.string(), error.message()));
  return make_tool_objects(all);
}

}  // namespace morph::project
