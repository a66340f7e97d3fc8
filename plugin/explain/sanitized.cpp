// A program of each changed source: other objects are the build's own.
#include "plugin/explain/sanitized.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "plugin/build/compile_commands.hpp"
#include "plugin/build/compiling.hpp"
#include "plugin/build/link_lines.hpp"
#include "plugin/frameworks/framework.hpp"
#include "plugin/generate/program.hpp"
#include "plugin/mutating/programs.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::explain {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds most_time{60};
constexpr std::size_t most_bytes_said = 200;

class sanitizer {
 public:
  sanitizer(const build::build_tree& tree, const generate::proposal& changed)
      : tree_(tree), changed_(changed), folder_(tree.own_dir() / "explain" / "sanitized") {}

  result<void> read() {
    auto units = build::compile_commands_of(tree_);
    if (!units) return tl::unexpected(units.error());
    units_ = std::move(*units);
    auto linked = build::linked_files(tree_.binary_dir);
    if (!linked) return tl::unexpected(linked.error());
    linked_ = std::move(*linked);
    std::error_code ignored;
    fs::create_directories(folder_, ignored);
    return {};
  }

  /// The program with its changed sources; empty if none is changed, or it cannot be built.
  fs::path build(const build::test_program& program) const {
    const auto file = std::ranges::find_if(
        linked_, [&](const auto& each) { return tree_.binary_dir / each.path == program.executable; });
    if (file == linked_.end()) return {};
    std::vector<std::string> words;
    std::vector<std::string> rest;
    for (const build::link_input& input : file->inputs) {
      const auto unit = std::ranges::find_if(units_, [&](const auto& each) { return object_of(each) == input.path; });
      const generate::changed_file* const to = unit == units_.end() ? nullptr : changed(unit->file);
      if (to == nullptr) {
        rest.push_back(input.path);
        continue;
      }
      const auto object = compiled(*unit, to->after);
      if (object.empty()) return {};
      if (words.empty()) words = build::link_head_of(*unit);
      words.push_back(object.string());
    }
    if (words.empty()) return {};
    words.insert(words.end(), rest.begin(), rest.end());
    const auto libraries = build::library_words(file->options);
    words.emplace_back("-Wl,--start-group");
    words.insert(words.end(), libraries.begin(), libraries.end());
    words.emplace_back("-Wl,--end-group");
    const fs::path made = folder_ / program.target;
    words.insert(words.end(), {"-fsanitize=address", "-o", made.string()});
    std::string ignored;
    return build::run_compiler(words, tree_.binary_dir.string(), ignored) ? made : fs::path();
  }

  /// Empty if it passes.
  std::string failure_of(const mutating::judging_program& of, const fs::path& executable,
                         const std::string& test) const {
    const auto* const framework = frameworks::find_framework(of.suite->framework);
    if (framework == nullptr) return {};
    const auto plain = mutating::mutant_program_of(*of.suite, *of.program);
    system::command c{.arguments = {executable.string()}, .directory = plain.directory};
    c.arguments.insert(c.arguments.end(), plain.arguments.begin(), plain.arguments.end());
    const std::vector<std::string> chosen = framework->choose(std::span(&test, 1));
    c.arguments.insert(c.arguments.end(), chosen.begin(), chosen.end());
    c.environment = plain.environment;
    c.environment.emplace_back("ASAN_OPTIONS", "detect_leaks=0");
    c.timeout = most_time;
    c.capture_at_end = true;
    const auto end = system::run(c);
    if (end.succeeded()) return {};
    const auto at = end.err.find("ERROR: AddressSanitizer");
    if (at == std::string::npos) return "fails when it is compiled with AddressSanitizer";
    return end.err.substr(at, std::min(end.err.find('\n', at) - at, most_bytes_said));
  }

 private:
  const generate::changed_file* changed(const std::string& file) const {
    for (const auto& each : changed_.files)
      if (each.path == fs::path(file).lexically_normal()) return &each;
    return nullptr;
  }

  std::string object_of(const build::compile_unit& unit) const {
    const fs::path object = (fs::path(unit.directory) / unit.object).lexically_normal();
    const fs::path relative = object.lexically_relative(tree_.binary_dir);
    return relative.empty() || *relative.begin() == ".." ? object.string() : relative.string();
  }

  fs::path compiled(const build::compile_unit& unit, const std::string& text) const {
    // Two sources of one program may have the same name.
    const fs::path there = folder_ / fs::path(unit.file).relative_path();
    const fs::path source = there, object = there.string() + ".o";
    if (!system::write_file_atomically(source, text)) return {};
    std::vector<std::string> words = build::options_of(unit);
    words.insert(words.end(), {"-iquote", fs::path(unit.file).parent_path().string(), "-fsanitize=address", "-g", "-w",
                               "-c", source.string(), "-o", object.string()});
    std::string ignored;
    return build::run_compiler(words, unit.directory, ignored) ? object : fs::path();
  }

  const build::build_tree& tree_;
  const generate::proposal& changed_;
  fs::path folder_;
  std::vector<build::compile_unit> units_;
  std::vector<build::linked_file> linked_;
};

}  // namespace

result<std::map<std::string, std::string>> unsanitary(const build::build_tree& tree, const generate::proposal& changed,
                                                      const std::vector<std::string>& tests,
                                                      const report::mutation_result& last) {
  sanitizer with(tree, changed);
  if (auto read = with.read(); !read) return tl::unexpected(read.error());
  std::map<std::string, std::string> made;
  for (const mutating::judging_program& program : mutating::judging_programs_of(tree).able) {
    std::vector<const report::judging_test*> own;
    for (const report::judging_test& each : last.tests)
      if (each.program == program.name() && std::ranges::find(tests, each.name) != tests.end()) own.push_back(&each);
    if (own.empty()) continue;
    const fs::path executable = with.build(*program.program);
    if (executable.empty()) continue;
    for (const report::judging_test* each : own)
      if (const std::string why =
              with.failure_of(program, executable, each->own_name.empty() ? each->name : each->own_name);
          !why.empty())
        made[each->name] = why;
  }
  return made;
}

}  // namespace morph::explain
