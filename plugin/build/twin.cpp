// Runs CMake for the twin.
#include "plugin/build/twin.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "plugin/build/built_code.hpp"
#include "plugin/build/settled_build.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/lines.hpp"
#include "plugin/system/process.hpp"

namespace morph::build {
namespace {

constexpr std::size_t shown_output = 8000;  // characters of a failed build's end
constexpr int longest_compilation = 1800;   // seconds of processor time

std::string tail(std::string text) {
  if (text.size() <= shown_output) return text;
  const auto start = text.find('\n', text.size() - shown_output);
  return "[...]\n" + text.substr(start == std::string::npos ? text.size() - shown_output : start + 1);
}

/// Where a twin is made, and how.
struct twin_place {
  std::filesystem::path source;
  std::filesystem::path binary;
  std::filesystem::path cache;
  std::vector<std::string> definitions;
  std::filesystem::path stamp;
  std::filesystem::path log;
};

/// Configured since the cache snapshot last changed. The build itself runs CMake again when a CMakeLists.txt has
/// changed.
bool is_configured(const twin_place& twin) {
  std::error_code no_stamp, no_cache;
  const auto stamped = std::filesystem::last_write_time(twin.stamp, no_stamp);
  const auto cached = std::filesystem::last_write_time(twin.cache, no_cache);
  return !no_stamp && !no_cache && stamped > cached &&
         std::filesystem::exists(twin.binary / "CMakeCache.txt", no_cache);
}

/// What compilers say is read: which mutants they reject, whether there was room. Everything else stays as it was, such
/// as the order in which generators of sources sort.
std::vector<std::pair<std::string, std::optional<std::string>>> in_english() {
  std::vector<std::pair<std::string, std::optional<std::string>>> changed{
      {"LC_MESSAGES", "C"}, {"LC_ALL", std::nullopt}, {"LANGUAGE", std::nullopt}};
  if (const char* const all = std::getenv("LC_ALL"); all != nullptr && *all != '\0') changed.emplace_back("LANG", all);
  return changed;
}

result<void> run_step(const twin_place& twin, const std::string& what, const std::vector<std::string>& arguments,
                      const twin_options& options) {
  system::command c;
  c.arguments = arguments;
  c.inherit_output = options.show_output;
  c.ends_with_us = true;
  // What the build runs may be instrumented, too.
  const auto counters = twin.binary / ".morph" / "counters-of-build";
  c.environment = system::counters_kept_in(counters / "gcda");
  if (!options.show_output) {
    const auto english = in_english();
    c.environment.insert(c.environment.end(), english.begin(), english.end());
  }
  if (!options.show_output) {
    if (auto emptied = system::write_file_atomically(twin.log, ""); !emptied) return tl::unexpected(emptied.error());
    c.output_file = twin.log.string();
  }
  const system::process_end end = system::run(c);
  std::error_code ignored;
  std::filesystem::remove_all(counters, ignored);
  if (end.succeeded()) return {};
  std::filesystem::remove(twin.stamp, ignored);
  std::string output;
  if (const auto text = options.show_output ? std::string() : system::read_file(twin.log)) output = tail(*text);
  if (output.find(std::strerror(ENOSPC)) != std::string::npos)
    output += "make room in the temporary folder (TMPDIR) and in the build tree, then run it again\n";
  else if (output.find(".modmap ") != std::string::npos)
    output +=
        "C++20 modules: this compiler builds no twin of them; `ctest -L morph` with -DMORPH_EVIDENCE=probes needs "
        "none\n";
  return tl::unexpected(fmt::format("the twin tree '{}' could not be {} ({}); the evidence is left as it was\n{}",
                                    twin.binary.string(), what, system::describe(end, c.timeout), output));
}

/// Of another version of Morph, before folders were moved, or in a tree that was copied from another: CMake refuses it.
bool is_of_another_place(const twin_place& twin) {
  const auto cache = system::read_file(twin.binary / "CMakeCache.txt");
  if (!cache) return false;
  const auto value = [&](std::string_view name) {
    const std::string key = fmt::format("\n{}:INTERNAL=", name);
    const auto at = cache->find(key);
    if (at == std::string::npos) return std::string();
    const auto begin = at + key.size();
    return cache->substr(begin, cache->find('\n', begin) - begin);
  };
  const std::string sources = value("CMAKE_HOME_DIRECTORY"), folder = value("CMAKE_CACHEFILE_DIR");
  std::error_code error;
  return (!sources.empty() && sources != twin.source.string()) ||
         (!folder.empty() && !std::filesystem::equivalent(folder, twin.binary, error));
}

/// Whether a line of the cache is the result of a check, by the comment in front of it: of CheckCXXSourceCompiles,
/// CheckIncludeFile, CheckSymbolExists, CheckFunctionExists, CheckLibraryExists, and what uses them, as FindThreads
/// does.
bool is_check(std::string_view comment, std::string_view line) {
  const std::string_view value = line.substr(std::min(line.size(), line.find(':')));
  return (comment.starts_with("//Test ") || comment.starts_with("//Have ")) &&
         (value == ":INTERNAL=" || value == ":INTERNAL=0" || value == ":INTERNAL=1");
}

/// Of a tree that CMake never configured: what it found out about compilers in the ordinary one, and with them, so that
/// it does not try them again. That is most of what configuring a small project takes (CMake 3.25, Ninja: of 1.54 s CPU
/// 0.70 for the compiler, 0.40 for the threads of GoogleTest). CMake looks for itself where anything is missing.
void copy_compiler_detection(const build_tree& tree, const twin_place& twin) {
  namespace fs = std::filesystem;
  const auto cache = system::read_file(tree.binary_dir / "CMakeCache.txt");
  if (!cache) return;
  static const std::set<std::string_view> facts{"CMAKE_CACHE_MAJOR_VERSION",
                                                "CMAKE_CACHE_MINOR_VERSION",
                                                "CMAKE_CACHE_PATCH_VERSION",
                                                "CMAKE_EXECUTABLE_FORMAT",
                                                "CMAKE_EXTRA_GENERATOR",
                                                "CMAKE_GENERATOR",
                                                "CMAKE_INSTALL_SO_NO_EXE",
                                                "CMAKE_GENERATOR_INSTANCE",
                                                "CMAKE_GENERATOR_PLATFORM",
                                                "CMAKE_GENERATOR_TOOLSET",
                                                "CMAKE_UNAME",
                                                "CMAKE_PLATFORM_INFO_INITIALIZED"};
  std::string kept = fmt::format("CMAKE_CACHEFILE_DIR:INTERNAL={}\nCMAKE_HOME_DIRECTORY:INTERNAL={}\n",
                                 twin.binary.string(), twin.source.string());
  const auto snapshot = system::read_file(twin.cache);
  const bool has_own_options = !snapshot || snapshot->find("\n# MORPH_TWIN_CACHE_ARGS:\n") != std::string::npos;
  std::vector<std::string> version;  // 3, 25, 1
  std::string_view comment;
  for (std::string_view text = *cache; !text.empty();) {
    const std::string_view line = system::next_line(text);
    if (line.starts_with("//")) {
      if (comment.empty()) comment = line;
      continue;
    }
    const std::string_view of = std::exchange(comment, {});
    const std::string_view name = line.substr(0, line.find(':'));
    const bool is_compiler = name.starts_with("CMAKE_") && name.ends_with("_COMPILER");
    if (!has_own_options && is_check(of, line))
      kept.append(of).append("\n");
    else if (!is_compiler && facts.count(name) == 0)
      continue;
    kept.append(line).append("\n");
    if (name.starts_with("CMAKE_CACHE_")) version.emplace_back(line.substr(line.rfind('=') + 1));
  }
  if (version.size() != 3) return;
  const fs::path folder = fmt::format("CMakeFiles/{}", fmt::join(version, "."));
  std::error_code error;
  fs::create_directories(twin.binary / folder, error);
  for (fs::directory_iterator each(tree.binary_dir / folder, error), end; !error && each != end; each.increment(error))
    if (each->is_regular_file(error))
      fs::copy_file(each->path(), twin.binary / folder / each->path().filename(), fs::copy_options::overwrite_existing,
                    error);
  if (error)
    fs::remove_all(twin.binary / folder, error);
  else
    (void)system::write_file_atomically(twin.binary / "CMakeCache.txt", kept);
}

result<void> configure(const build_tree& tree, const twin_place& twin, const twin_options& options) {
  if (is_of_another_place(twin)) {
    std::error_code error;
    std::filesystem::remove(twin.stamp, error);
    std::filesystem::remove_all(twin.binary, error);
  }
  if (is_configured(twin)) return {};
  // One configuration of several is a tree of its own, made by the same program.
  const bool one_of_several = !tree.config.empty();
  if (std::error_code error; !one_of_several && !std::filesystem::exists(twin.binary / "CMakeCache.txt", error))
    copy_compiler_detection(tree, twin);
  std::vector<std::string> arguments = {tree.cmake, "-C", twin.cache.string(), "-G",
                                        one_of_several ? "Ninja" : tree.generator};
  arguments.insert(arguments.end(), twin.definitions.begin(), twin.definitions.end());
  if (one_of_several) arguments.push_back("-DCMAKE_BUILD_TYPE=" + tree.config);
  if (!tree.generator_platform.empty()) arguments.insert(arguments.end(), {"-A", tree.generator_platform});
  if (!tree.generator_toolset.empty()) arguments.insert(arguments.end(), {"-T", tree.generator_toolset});
  arguments.insert(arguments.end(), {"-S", twin.source.string(), "-B", twin.binary.string()});
  if (auto done = run_step(twin, "configured", arguments, options); !done) return done;
  (void)system::write_file_atomically(twin.stamp, "");
  return {};
}

std::string jobs_of(const twin_options& options) {
  return std::to_string(options.jobs > 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency()));
}

/// A CMakeLists.txt may have changed since: what the twin's description says of its suites has to be of now.
result<void> generate_again(const build_tree& tree, const twin_place& twin, const twin_options& options) {
  const bool by_ninja = tree.generator.starts_with("Ninja");
  if (!by_ninja && tree.generator != "Unix Makefiles") return {};
  const char* const target = by_ninja ? "build.ninja" : "cmake_check_build_system";
  return run_step(twin, "configured", {tree.make_program, "-C", twin.binary.string(), target}, options);
}

result<void> build(const build_tree& tree, const twin_place& twin, const twin_options& options) {
  const std::string jobs = jobs_of(options);
  std::vector<std::string> arguments = {tree.cmake, "--build", twin.binary.string(), "--parallel", jobs, "--target"};
  // What CMake would start then. Itself it takes longer to start than Ninja to see that nothing is to be done, and ends
  // nobody when it is ended.
  const bool by_ninja = tree.generator.starts_with("Ninja");
  if (by_ninja || tree.generator == "Unix Makefiles") {
    arguments = {tree.make_program, "-C", twin.binary.string(), "-j", jobs};
    if (options.keeps_going && by_ninja) arguments.insert(arguments.end(), {"-k", "0"});
    // What a step says stands together.
    if (options.keeps_going && !by_ninja) arguments.insert(arguments.end(), {"-k", "--output-sync=target"});
  }
  arguments.insert(arguments.end(), tree.targets.begin(), tree.targets.end());
  // A compiler that comes to no end with a mutant is one that rejects it.
  if (options.keeps_going) {
    const std::string limited = fmt::format("ulimit -S -t {} 2>/dev/null; exec \"$@\"", longest_compilation);
    arguments.insert(arguments.begin(), {"/bin/sh", "-c", limited, "sh"});
  }
  return run_step(twin, "built", arguments, options);
}

/// What Ninja would do now; nothing of other build tools, whose answers say little of what CMake generates for them.
std::string planned_by_ninja(const build_tree& tree, const twin_place& twin) {
  if (!tree.generator.starts_with("Ninja")) return {};
  constexpr std::string_view nothing = "no work to do";
  system::command c;
  c.arguments = {tree.make_program, "-C", twin.binary.string(), "-n"};
  c.arguments.insert(c.arguments.end(), tree.targets.begin(), tree.targets.end());
  c.environment = {{"NINJA_STATUS", ""}};
  const system::process_end end = system::run(c);
  return end.succeeded() && end.out.find(nothing) != std::string::npos ? std::string() : end.out;
}

/// The build of a tree of Ninja that had nothing to do need not be asked what is left to do.
bool did_nothing(const build_tree& tree, const twin_place& twin, const twin_options& options) {
  if (options.show_output || !tree.generator.starts_with("Ninja")) return false;
  const auto said = system::read_file(twin.log);
  return said && said->find("no work to do") != std::string::npos;
}

result<void> settle(const build_tree& tree, const twin_place& twin, const twin_options& options) {
  bool is_at_rest = did_nothing(tree, twin, options);
  settled_build how;
  how.binary_dir = twin.binary;
  how.record = twin.binary / ".morph" / "links.json";
  how.build = [&] { return build(tree, twin, options); };
  how.planned = [&] { return std::exchange(is_at_rest, false) ? std::string() : planned_by_ninja(tree, twin); };
  how.stale_object = [&] {
    const auto described = read_build_tree(twin.binary);
    const auto built = described ? read_any_build(*described, {}) : tl::unexpected(described.error());
    return built ? built->stale : std::string();
  };
  how.asks_objects = !tree.generator.starts_with("Ninja");
  return settle(how);
}

twin_place coverage_twin(const build_tree& tree) {
  return {tree.source_dir,
          tree.twin_dir(),
          tree.twin_cache,
          {},
          tree.own_dir() / "twin.stamp",
          tree.own_dir() / "twin.log"};
}

twin_place mutation_twin(const build_tree& tree) {
  const mutation_place at = mutation_place_of(tree);
  return {at.source,
          at.binary,
          tree.own_dir() / "mutation-cache.cmake",
          {"-DMORPH_INSTRUMENT=mutation", "-DMORPH_MIRROR_OF=" + tree.source_dir.string(),
           "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"},
          tree.own_dir() / "mutation.stamp",
          at.log};
}

/// What leads into the sources leads into their mirror; what leads into the build tree, which is not mirrored, stays.
std::string in_mirror(const std::string& text, const build_tree& tree) {
  const std::string from = tree.source_dir.string(), kept = tree.binary_dir.string(),
                    to = mutation_place_of(tree).source.string();
  std::string result;
  std::size_t at = 0;
  for (auto next = text.find(from); next != std::string::npos; next = text.find(from, next)) {
    const std::size_t end = next + from.size();
    const char after = end < text.size() ? text[end] : '\0';
    const bool whole = after == '/' || after == '"' || after == ']' || after == ';' || after == ' ' || after == '\n';
    const bool starts = next == 0 || text[next - 1] != '/';
    if (whole && starts && text.compare(next, kept.size(), kept) != 0) {
      result.append(text, at, next - at).append(to);
      at = end;
    }
    next = end;
  }
  return result.append(text, at);
}

}  // namespace

result<build_tree> build_twin(const build_tree& tree, const twin_options& options) {
  const twin_place twin = coverage_twin(tree);
  if (auto done = configure(tree, twin, options); !done) return tl::unexpected(done.error());
  if (auto done = build(tree, twin, options); !done) return tl::unexpected(done.error());
  if (auto done = settle(tree, twin, options); !done)
    return tl::unexpected(fmt::format("{}; the evidence is left as it was", done.error()));
  return read_build_tree(twin.binary);
}

std::filesystem::path twin_folder(const build_tree& tree) {
  return tree.binary_dir / "morph-twin" / (tree.config.empty() ? "mutation" : "mutation-" + tree.config);
}

mutation_place mutation_place_of(const build_tree& tree) {
  const auto folder = twin_folder(tree);
  // With all folders around it: the project may name what lies beside its own.
  return {folder / "source" / tree.source_dir.relative_path(), folder / "build", tree.own_dir() / "mutation.log"};
}

result<build_tree> configure_mutation_twin(const build_tree& tree, const twin_options& options) {
  const twin_place twin = mutation_twin(tree);
  const auto cache = system::read_file(tree.twin_cache);
  if (!cache) return tl::unexpected(cache.error());
  const std::string wanted = in_mirror(*cache, tree);
  if (const auto now = system::read_file(twin.cache); !now || *now != wanted)
    if (auto written = system::write_file_atomically(twin.cache, wanted); !written)
      return tl::unexpected(written.error());
  const bool was_configured = is_configured(twin);
  if (auto done = configure(tree, twin, options); !done) return tl::unexpected(done.error());
  if (was_configured)
    if (auto done = generate_again(tree, twin, options); !done) return tl::unexpected(done.error());
  return read_build_tree(twin.binary);
}

bool make_included_files(const build_tree& tree, const twin_options& options) {
  if (!tree.generator.starts_with("Ninja")) return false;
  const twin_place twin = mutation_twin(tree);
  std::vector<std::string> arguments{tree.make_program, "-C", twin.binary.string(), "-j", jobs_of(options)};
  // CMake's name for what has to be there before a target's sources, and those of all that it links, are compiled.
  for (const std::string& target : tree.targets) arguments.push_back("cmake_object_order_depends_target_" + target);
  return run_step(twin, "built", arguments, options).has_value();
}

result<void> build_mutation_twin(const build_tree& tree, const twin_options& options) {
  twin_options all = options;
  all.keeps_going = true;
  return build(tree, mutation_twin(tree), all);
}

}  // namespace morph::build
