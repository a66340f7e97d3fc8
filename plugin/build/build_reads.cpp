// build.ninja, and what makefiles of CMake's say.
#include "plugin/build/build_reads.hpp"

#include <algorithm>
#include <array>
#include <system_error>
#include <unordered_set>

#include "plugin/build/link_lines.hpp"
#include "plugin/build/link_options.hpp"
#include "plugin/build/ninja_statements.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/lines.hpp"
#include "plugin/system/shell_words.hpp"

namespace morph::build {
namespace {

namespace fs = std::filesystem;

/// Calls `take` with the text of each file of CMake's makefiles that is called so.
template <typename Take>
void each_of_make(const fs::path& binary_dir, std::string_view name, const Take& take) {
  std::error_code error;
  for (fs::recursive_directory_iterator at(binary_dir, error), last; !error && at != last; at.increment(error)) {
    if (at->path().filename() == "morph-twin") at.disable_recursion_pending();
    if (at->path().filename() == name)
      if (const auto text = system::read_file(at->path())) take(*text, at->path());
  }
}

void add_folders(std::string_view options, const fs::path& from, include_folders& to) {
  struct option {
    std::string_view name;
    bool own;
  };
  static constexpr std::array<option, 4> named{
      {{"-isystem", false}, {"-idirafter", false}, {"-iquote", true}, {"-I", true}}};
  const std::vector<std::string> words = system::shell_words(options);
  for (std::size_t i = 0; i < words.size(); ++i)
    for (const option& o : named) {
      if (!words[i].starts_with(o.name)) continue;
      const bool is_next = words[i].size() == o.name.size();
      const std::string folder = !is_next ? words[i].substr(o.name.size()) : i + 1 < words.size() ? words[++i] : "";
      std::error_code error;
      const fs::path whole = fs::weakly_canonical(from / folder, error);
      if (!folder.empty() && !error) (o.own ? to.own : to.others).insert(whole.string());
      break;
    }
}

class input_collector {
 public:
  explicit input_collector(const build_tree& tree) : folder_(tree.binary_dir) {
    std::error_code error;
    for (const std::string& program : {tree.cmake, tree.ctest, tree.make_program, tree.compiler_path})
      if (!program.empty()) left_out_.insert(program);
    left_out_.insert(fs::read_symlink("/proc/self/exe", error).string());
  }

  void add(const std::string& path) {
    if (path.empty() || !seen_.insert(path).second) return;
    const std::string whole = (folder_ / path).lexically_normal().string();
    const std::string name = fs::path(whole).filename().string();
    const bool is_shared = name.ends_with(".so") || name.find(".so.") != std::string::npos;
    std::error_code error;
    if (!is_shared && left_out_.count(whole) == 0 && fs::is_regular_file(whole, error)) found_.insert(whole);
  }

  /// Of options the file that they end with.
  void add_words(std::string_view line) {
    for (const std::string& word : system::shell_words(line))
      for (const std::string_view part : linker_words(word)) {
        const auto equals = part.starts_with('-') ? part.rfind('=') : std::string_view::npos;
        const std::string_view file = equals == std::string_view::npos ? part : part.substr(equals + 1);
        if (file.starts_with("-T/")) add(std::string(file.substr(2)));
        if (file.find('/') != std::string_view::npos && !file.starts_with('-'))
          add(std::string(file.starts_with('@') ? file.substr(1) : file));
      }
  }

  std::set<std::string> finish() && { return std::move(found_); }

 private:
  fs::path folder_;
  std::set<std::string> left_out_;
  std::unordered_set<std::string> seen_;
  std::set<std::string> found_;
};

void collect(const std::string& text, input_collector& to) {
  for (const build_statement& s : build_statements(text)) {
    if (s.what() == build_statement::kind::alias || is_of_morph(s)) continue;
    for (const std::string& input : s.inputs) to.add(input);
    if (s.what() == build_statement::kind::command) {
      for (const std::string& input : s.waits_for) to.add(input);
      to.add_words(s.commands());
    }
    for (const char* variable : {"LINK_FLAGS", "LINK_LIBRARIES", "PRE_LINK", "POST_BUILD"})
      if (const auto at = s.variables.find(variable); at != s.variables.end()) to.add_words(at->second);
  }
}

}  // namespace

bool is_of_system(std::string_view path) {
  return path.starts_with("/usr/") && !path.starts_with("/usr/local/") && !path.starts_with("/usr/src/");
}

bool is_of_tools(std::string_view path) {
  static constexpr std::array<std::string_view, 4> of_compilers{"/include/c++/", "/lib/gcc/", "/lib64/gcc/",
                                                                "/lib/clang/"};
  const auto has = [&](std::string_view part) { return path.find(part) != std::string_view::npos; };
  const bool of_cmake = has("/share/cmake") && (has("/Modules/") || has("/Templates/"));
  return of_cmake || std::any_of(of_compilers.begin(), of_compilers.end(), has);
}

bool include_folders::are_others(const std::string& file) const {
  for (fs::path folder = fs::path(file).parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
    if (own.count(folder.string()) != 0) return false;
    if (others.count(folder.string()) != 0) return true;
  }
  return false;
}

include_folders read_include_folders(const fs::path& binary_dir) {
  include_folders found;
  std::unordered_set<std::string> seen;  // targets share them
  const auto add = [&](std::string_view line, const fs::path& from) {
    const auto equals = line.find(" = ");
    if (equals == std::string_view::npos) return;
    const std::string_view name = line.substr(0, equals);
    const bool has_some = name.ends_with("INCLUDES") || name.ends_with("FLAGS");
    if (has_some && seen.insert(std::string(line.substr(equals))).second)
      add_folders(line.substr(equals + 3), from, found);
  };
  const auto text = system::read_file(binary_dir / "build.ninja");
  if (text)
    for (std::string_view rest = *text; !rest.empty();) add(system::next_line(rest), binary_dir);
  else
    each_of_make(binary_dir, "flags.make", [&](std::string_view rest, const fs::path&) {
      while (!rest.empty()) add(system::next_line(rest), binary_dir);
    });
  std::erase_if(found.others, [&](const std::string& folder) { return found.own.count(folder) != 0; });
  return found;
}

std::set<std::string> described_inputs(const build_tree& tree) {
  input_collector found(tree);
  if (const auto text = system::read_file(tree.binary_dir / "build.ninja")) {
    collect(*text, found);
    return std::move(found).finish();
  }
  if (const auto list = system::read_file(tree.binary_dir / "CMakeFiles" / "Makefile.cmake"))
    for (std::string_view rest = *list; !rest.empty();) {
      const std::string_view line = system::next_line(rest);
      const auto begin = line.find('"'), end = line.rfind('"');
      if (begin < end && end != std::string_view::npos) found.add(std::string(line.substr(begin + 1, end - begin - 1)));
    }
  each_of_make(tree.binary_dir, "build.make", [&](std::string_view rest, const fs::path& path) {
    const bool is_ours = path.parent_path().filename().string().starts_with("morph-");
    while (!rest.empty() && !is_ours) {
      const std::string_view line = system::next_line(rest);
      const auto colon = line.find(": ");
      if (line.starts_with('\t'))
        found.add_words(line);
      else if (!line.starts_with('#') && colon != std::string_view::npos)
        found.add(std::string(line.substr(colon + 2)));
    }
  });
  each_of_make(tree.binary_dir, "link.txt", [&](std::string_view text, const fs::path&) { found.add_words(text); });
  return std::move(found).finish();
}

}  // namespace morph::build
