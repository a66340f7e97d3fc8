// Link lines of build.ninja and link.txt.
#include "plugin/build/link_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "plugin/build/link_options.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/lines.hpp"
#include "plugin/system/shell_words.hpp"

namespace morph::build {
namespace {

namespace fs = std::filesystem;

std::string without_ninja_escapes(std::string_view value) {
  std::string plain;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '$' && i + 1 < value.size() && std::string_view(" :$").find(value[i + 1]) != std::string_view::npos)
      ++i;
    plain += value[i];
  }
  return plain;
}

class link_line {
 public:
  link_line(std::string folder, std::string binary_dir)
      : folder_(std::move(folder)), binary_dir_(std::move(binary_dir)) {}

  std::string place(const std::string& path) const {
    const std::string whole = (fs::path(folder_) / path).lexically_normal().string();
    return whole.starts_with(binary_dir_ + "/") ? whole.substr(binary_dir_.size() + 1) : whole;
  }
  void add(const std::string& word, linked_file& to) {
    for (const std::string_view part : linker_words(word)) {
      const bool archive = part.ends_with(".a");
      if (!part.starts_with("-") && (archive || part.ends_with(".o")))
        to.inputs.push_back({place(std::string(part)), archive && whole_});
      else
        follow(part);
    }
    if (word.starts_with("-") || !(word.ends_with(".a") || word.ends_with(".o"))) add_option(word, to);
  }
  void follow(std::string_view option) {
    if (option.ends_with("-whole-archive")) whole_ = !option.ends_with("-no-whole-archive");
    if (option.ends_with("-push-state")) kept_.push_back(whole_);
    if (!option.ends_with("-pop-state") || kept_.empty()) return;
    whole_ = kept_.back();
    kept_.pop_back();
  }
  void add_option(std::string word, linked_file& to) const {
    static constexpr std::array<std::string_view, 6> of_compilers{"-D", "-I", "-U", "-std=", "-pedantic", "-W"};
    if (!word.starts_with("-Wl,") && std::any_of(of_compilers.begin(), of_compilers.end(),
                                                 [&](std::string_view option) { return word.starts_with(option); }))
      return;
    for (std::size_t at = 0; (at = word.find(binary_dir_, at)) != std::string::npos;)
      word.replace(at, binary_dir_.size(), ".");
    to.options += (to.options.empty() ? "" : " ") + word;
  }

 private:
  std::string folder_, binary_dir_;
  bool whole_ = false;
  std::vector<bool> kept_;  // --push-state
};

/// Variables of a build statement that say where things lie, not how they are linked.
bool is_of_bookkeeping(std::string_view name) {
  static constexpr std::array<std::string_view, 8> names{"DEP_FILE",   "OBJECT_DIR",         "RESTAT",
                                                         "RSP_FILE",   "TARGET_COMPILE_PDB", "TARGET_FILE",
                                                         "TARGET_PDB", "TARGET_SUPPORT_DIR"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_shared(std::string_view name) {
  const std::string file = fs::path(name).filename().string();
  return file.ends_with(".so") || file.find(".so.") != std::string::npos;
}

}  // namespace

std::vector<linked_file> linked_by_ninja(std::string_view text, const std::string& binary_dir) {
  std::vector<linked_file> found;
  bool linking = false;
  link_line line(binary_dir, binary_dir);
  while (!text.empty()) {
    const std::string_view next = system::next_line(text);
    if (const auto equals = next.find(" = "); linking && next.starts_with("  ") && equals != std::string_view::npos) {
      if (const std::string_view name = next.substr(2, equals - 2); !is_of_bookkeeping(name))
        for (const std::string& word : system::shell_words(without_ninja_escapes(next.substr(equals + 3))))
          line.add(word, found.back());
      continue;
    }
    if (!next.starts_with("build ")) continue;
    linking = false;
    // Outputs, the rule, then objects up to what is only waited for.
    std::vector<std::string> words(1);
    for (std::size_t i = 6; i < next.size(); ++i) {
      const bool escaped =
          next[i] == '$' && i + 1 < next.size() && std::string_view(" :$").find(next[i + 1]) != std::string_view::npos;
      if (escaped)
        words.back() += next[++i];
      else if (next[i] == ':')
        words.insert(words.end(), {":", ""});
      else if (next[i] != ' ')
        words.back() += next[i];
      else if (!words.back().empty())
        words.emplace_back();
    }
    std::erase(words, "");
    const auto colon = std::find(words.begin(), words.end(), ":");
    if (colon == words.end() || colon + 1 == words.end() || colon == words.begin()) continue;
    const std::string& rule = *(colon + 1);
    const bool program = rule.find("_EXECUTABLE_LINKER_") != std::string::npos;
    const bool library = rule.find("_SHARED_LIBRARY_LINKER_") != std::string::npos ||
                         rule.find("_MODULE_LIBRARY_LINKER_") != std::string::npos;
    const bool archive = rule.find("_STATIC_LIBRARY_LINKER_") != std::string::npos;
    if (!program && !library && !archive) continue;
    linking = !archive;
    line = link_line(binary_dir, binary_dir);
    linked_file& file = found.emplace_back();
    file.path = line.place(words.front());
    file.shared = library;
    file.archive = archive;
    for (auto word = colon + 2; word < words.end() && *word != "|" && *word != "||"; ++word) line.add(*word, file);
  }
  std::sort(found.begin(), found.end(), [](const linked_file& a, const linked_file& b) { return a.path < b.path; });
  return found;
}

std::vector<linked_file> linked_by_make(std::string_view text, const std::string& folder,
                                        const std::string& binary_dir) {
  std::vector<linked_file> found;
  while (!text.empty()) {
    const std::vector<std::string> words = system::shell_words(system::next_line(text));
    auto output = std::find(words.begin(), words.end(), "-o");
    // ar, which has no -o: the flags and the library come first. ranlib names no objects.
    const bool archive = output == words.end();
    if (archive) output = words.size() > 3 ? words.begin() + 1 : words.end();
    if (output == words.end() || output + 1 == words.end()) continue;
    link_line line(folder, binary_dir);
    linked_file& file = found.emplace_back();
    file.path = line.place(*(output + 1));
    file.shared = !archive && is_shared(file.path);
    file.archive = archive;
    for (auto word = archive ? output + 2 : words.begin(); word < words.end(); ++word) line.add(*word, file);
  }
  return found;
}

result<std::vector<linked_file>> linked_files(const fs::path& binary_dir) {
  const std::string root = fs::weakly_canonical(binary_dir).string();
  if (std::error_code missing; fs::exists(binary_dir / "build.ninja", missing)) {
    const auto text = system::read_file(binary_dir / "build.ninja");
    if (!text) return tl::unexpected(text.error());
    return linked_by_ninja(*text, root);
  }
  std::vector<linked_file> all;
  std::error_code error;
  bool any = fs::exists(binary_dir / "Makefile", error);
  for (fs::recursive_directory_iterator at(binary_dir, error), last; any && !error && at != last; at.increment(error)) {
    if (at->path().filename() != "link.txt") continue;
    const auto text = system::read_file(at->path());
    if (!text) return tl::unexpected(text.error());
    // <folder>/CMakeFiles/<target>.dir/link.txt
    const fs::path folder = fs::weakly_canonical(at->path()).parent_path().parent_path().parent_path();
    for (linked_file& file : linked_by_make(*text, folder.string(), root)) all.push_back(std::move(file));
  }
  if (!any)
    return tl::unexpected(fmt::format("'{}' is no build tree of Ninja or make: it has neither build.ninja nor Makefile",
                                      binary_dir.string()));
  if (error) return tl::unexpected(fmt::format("reading '{}': {}", binary_dir.string(), error.message()));
  std::sort(all.begin(), all.end(), [](const linked_file& a, const linked_file& b) { return a.path < b.path; });
  return all;
}

}  // namespace morph::build
