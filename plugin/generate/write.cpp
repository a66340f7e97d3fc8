// The project is changed by write() alone.
#include "plugin/generate/write.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>

#include "plugin/generate/emit.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::generate {
namespace {

namespace fs = std::filesystem;

fs::path nearest_cmake(fs::path folder, const fs::path& root) {
  for (; folder.string().starts_with(root.string()); folder = folder.parent_path())
    if (fs::exists(folder / "CMakeLists.txt")) return folder / "CMakeLists.txt";
  return {};
}

std::string with_end_of_line(std::string text) {
  if (!text.empty() && text.back() != '\n') text += '\n';
  return text;
}

}  // namespace

std::string file_name(const std::string& unit, const std::string& kind) {
  const bool is_file = unit.find('/') != std::string::npos || unit.find('.') != std::string::npos;
  std::string last = is_file ? fs::path(unit).stem().string() : unit.substr(unit.rfind(':') + 1);
  std::string made;
  for (std::size_t i = 0; i < last.size(); ++i) {
    const auto c = static_cast<unsigned char>(last[i]);
    const bool begins = std::isupper(c) != 0 && i > 0 && std::islower(static_cast<unsigned char>(last[i - 1])) != 0;
    if (begins) made += '_';
    made += std::isalnum(c) != 0 ? static_cast<char>(std::tolower(c)) : '_';
  }
  return fmt::format("{}_{}_test.cpp", made, kind);
}

std::string formatted(const std::string& text, const fs::path& as, const fs::path& root) {
  bool has_style = false;
  for (fs::path at = as.parent_path(); at.string().starts_with(root.string()); at = at.parent_path())
    has_style = has_style || fs::exists(at / ".clang-format") || fs::exists(at / "_clang-format");
  if (!has_style) return text;
  // Its input is a file: what is read from there is as long as it may be.
  const fs::path copy = fs::temp_directory_path() / fmt::format("morph-format-{}.cpp", ::getpid());
  if (!system::write_file_atomically(copy, text)) return text;
  system::command c{
      .arguments = {"sh", "-c", "clang-format --assume-filename=\"$1\" < \"$2\"", "sh", as.string(), copy.string()}};
  c.capture_at_end = true;
  const auto end = system::run(c);
  std::error_code ignored;
  fs::remove(copy, ignored);
  return end.succeeded() && !end.out.empty() ? end.out : text;
}

/// As a name of its own, and not as the end of another one.
bool names_file(const std::string& text, const std::string& name) {
  for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
    if (at == 0 || (std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0 && text[at - 1] != '_')) return true;
  return false;
}

std::string free_kind(const fs::path& folder, const std::string& unit, const std::string& kind,
                      const std::set<fs::path>& taken) {
  std::string made = kind;
  const auto is_free = [&] {
    const fs::path file = folder / file_name(unit, made);
    return !fs::exists(file) && !taken.contains(file);
  };
  for (int number = 2; !is_free(); ++number) made = kind + std::to_string(number);
  return made;
}

fs::path folder_of_new_tests(const build::build_tree& tree, const call_program& program) {
  return program.tests ? program.tests->source.parent_path() : tree.source_dir;
}

result<proposal> propose(const build::build_tree& tree, const call_program& program, const std::string& unit,
                         const std::string& name, const std::string& source) {
  proposal made;
  const fs::path folder = folder_of_new_tests(tree, program);
  changed_file test{.path = folder / name};
  test.after = formatted(source, test.path, tree.source_dir);
  test.is_new = !fs::exists(test.path);
  if (!test.is_new) {
    const auto before = system::read_file(test.path);
    if (!before) return tl::unexpected(before.error());
    if (!before->starts_with(first_line))
      return tl::unexpected(
          fmt::format("'{}' is there, and `morph generate` has not written it; move it away", test.path.string()));
    test.before = *before;
  }
  made.files.push_back(std::move(test));
  if (!program.tests || program.tests->target.empty()) {
    made.notes.push_back(fmt::format(
        "no program that links '{}' includes GoogleTest, Catch2 or doctest: add '{}', of GoogleTest, to one", unit,
        name));
    return made;
  }
  const fs::path cmake = nearest_cmake(folder, tree.source_dir);
  const auto text = cmake.empty() ? result<std::string>(std::string()) : system::read_file(cmake);
  if (cmake.empty() || !text) {
    made.notes.push_back(fmt::format("add '{}' to the sources of '{}'", name, program.tests->target));
    return made;
  }
  if (names_file(*text, name)) return made;
  const std::string own = program.tests->source.filename().string();
  if (text->find("GLOB") != std::string::npos && text->find(own) == std::string::npos) {
    made.notes.push_back(fmt::format("'{}' finds its sources itself: configure the build tree again", cmake.string()));
    return made;
  }
  const std::string at =
      folder == cmake.parent_path() ? name : (folder / name).lexically_relative(cmake.parent_path()).string();
  made.files.push_back({.path = cmake,
                        .before = *text,
                        .after = with_end_of_line(*text) +
                                 fmt::format("target_sources({} PRIVATE \"${{CMAKE_CURRENT_SOURCE_DIR}}/{}\")\n",
                                             program.tests->target, at)});
  return made;
}

proposal merged(const std::vector<proposal>& all) {
  proposal made;
  for (const proposal& one : all) {
    for (const changed_file& each : one.files) {
      const auto known = std::ranges::find(made.files, each.path, &changed_file::path);
      if (known == made.files.end())
        made.files.push_back(each);
      else if (each.path.filename() == "CMakeLists.txt")
        known->after += each.after.substr(with_end_of_line(each.before).size());
      else
        made.notes.push_back(fmt::format(
            "the tests of two pairs would be in '{}'; search one of them by itself, with --pair", each.path.string()));
    }
    made.notes.insert(made.notes.end(), one.notes.begin(), one.notes.end());
  }
  return made;
}

result<std::string> patch_of(const build::build_tree& tree, const proposal& of) {
  const fs::path folder = tree.own_dir() / "generate" / "patch";
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  fs::create_directories(folder / "a", ignored);
  fs::create_directories(folder / "b", ignored);
  for (const changed_file& each : of.files) {
    const fs::path relative = each.path.lexically_relative(tree.source_dir);
    if (!each.is_new)
      if (auto written = system::write_file_atomically(folder / "a" / relative, each.before); !written)
        return tl::unexpected(written.error());
    if (auto written = system::write_file_atomically(folder / "b" / relative, each.after); !written)
      return tl::unexpected(written.error());
  }
  system::command c{.arguments = {"git", "diff", "--no-index", "--no-prefix", "--no-color", "--no-ext-diff", "a", "b"},
                    .directory = folder.string()};
  c.capture_at_end = true;
  const auto end = system::run(c);
  if (end.how != system::process_end::kind::exited || end.code > 1)
    return tl::unexpected("git cannot write a patch: " + end.err);
  return end.out;
}

result<void> write(const proposal& of) {
  for (const changed_file& each : of.files) {
    // What a name stands for is written, and keeps its permissions.
    std::error_code failed;
    const fs::path there = fs::canonical(each.path, failed);
    const fs::path path = failed ? each.path : there;
    const auto before = fs::status(path, failed).permissions();
    if (auto written = system::write_file_atomically(path, each.after); !written) return written;
    if (!each.is_new) fs::permissions(path, before, failed);
  }
  return {};
}

}  // namespace morph::generate
