// Runs CMake for the twin.
#include "plugin/project/twin.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "plugin/project/files.hpp"
#include "plugin/project/process.hpp"

namespace morph::project {
namespace {

constexpr std::size_t shown_output = 8000;  // characters of a failed build's end

std::string tail(std::string text) {
  if (text.size() <= shown_output) return text;
  const auto start = text.find('\n', text.size() - shown_output);
  return "[...]\n" + text.substr(start == std::string::npos ? text.size() - shown_output : start + 1);
}

std::filesystem::path stamp_of(const build_tree& tree) {
  return tree.own_dir() / "twin.stamp";
}

/// Configured since the cache snapshot last changed. The build itself runs CMake again when a CMakeLists.txt has
/// changed.
bool is_configured(const build_tree& tree) {
  std::error_code no_stamp, no_cache;
  const auto stamped = std::filesystem::last_write_time(stamp_of(tree), no_stamp);
  const auto cached = std::filesystem::last_write_time(tree.twin_cache, no_cache);
  return !no_stamp && !no_cache && stamped > cached &&
         std::filesystem::exists(tree.twin_dir() / "CMakeCache.txt", no_cache);
}

}  // namespace

result<build_tree> build_twin(const build_tree& tree, const twin_options& options) {
  const std::string twin = tree.twin_dir().string();
  const std::filesystem::path log = tree.own_dir() / "twin.log";

  // One configuration of several is a tree of its own, made by the same program.
  const bool one_of_several = !tree.config.empty();
  std::vector<std::string> configure = {tree.cmake, "-C", tree.twin_cache.string(), "-G",
                                        one_of_several ? "Ninja" : tree.generator};
  if (one_of_several) configure.push_back("-DCMAKE_BUILD_TYPE=" + tree.config);
  if (!tree.generator_platform.empty()) configure.insert(configure.end(), {"-A", tree.generator_platform});
  if (!tree.generator_toolset.empty()) configure.insert(configure.end(), {"-T", tree.generator_toolset});
  configure.insert(configure.end(), {"-S", tree.source_dir.string(), "-B", twin});

  const unsigned jobs = options.jobs > 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::string> build = {tree.cmake, "--build", twin, "--parallel", std::to_string(jobs), "--target"};
  // What CMake would start then. Itself it takes longer to start than Ninja to see that nothing is to be done.
  if (tree.generator.starts_with("Ninja")) build = {tree.make_program, "-C", twin, "-j", std::to_string(jobs)};
  build.insert(build.end(), tree.targets.begin(), tree.targets.end());

  const bool configured = is_configured(tree);
  for (const auto& [what, arguments] : {std::pair{"configured", configure}, std::pair{"built", build}}) {
    if (configured && arguments == configure) continue;
    command c;
    c.arguments = arguments;
    c.inherit_output = options.show_output;
    if (!options.show_output) {
      if (auto emptied = write_file_atomically(log, ""); !emptied) return tl::unexpected(emptied.error());
      c.output_file = log.string();
    }
    const process_end end = run(c);
    if (end.succeeded()) {
      if (arguments == configure) (void)write_file_atomically(stamp_of(tree), "");
      continue;
    }
    std::error_code ignored;
    std::filesystem::remove(stamp_of(tree), ignored);
    std::string output;
    if (const auto text = options.show_output ? std::string() : read_file(log)) output = tail(*text);
    if (output.find(std::strerror(ENOSPC)) != std::string::npos)
      output += "make room in the temporary folder (TMPDIR) and in the build tree, then measure again\n";
    return tl::unexpected(fmt::format("the twin tree '{}' could not be {} ({}); the evidence is left as it was\n{}",
                                      twin, what, describe(end, c.timeout), output));
  }
  return read_build_tree(twin);
}

}  // namespace morph::project
