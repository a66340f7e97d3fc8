// Options out of commands, and running a compiler.
#include "plugin/build/compiling.hpp"

#include <filesystem>

#include "plugin/system/process.hpp"
#include "plugin/system/shell_words.hpp"

namespace morph::build {

namespace fs = std::filesystem;

std::vector<std::string> options_of(const compile_unit& unit) {
  std::vector<std::string> made;
  for (std::size_t i = 0; i < unit.arguments.size(); ++i) {
    const std::string& each = unit.arguments[i];
    if (each == "-o" || each == "-MF" || each == "-MT" || each == "-MQ") {
      ++i;
      continue;
    }
    const bool is_source =
        i > 0 && !each.starts_with("-") && fs::path(each).filename() == fs::path(unit.file).filename();
    if (each != "-c" && each != "-MD" && each != "-MMD" && each != "-pedantic-errors" && !each.starts_with("-Werror") &&
        !is_source)
      made.push_back(each);
  }
  return made;
}

std::vector<std::string> link_head_of(const compile_unit& unit) {
  // Behind what launches it, such as ccache.
  std::size_t compiler = 0;
  while (compiler + 1 < unit.arguments.size() && !unit.arguments[compiler + 1].starts_with("-") &&
         unit.arguments[compiler + 1] != unit.file)
    ++compiler;
  std::vector<std::string> words{unit.arguments[compiler]};
  for (const std::string& each : unit.arguments)
    if (each.starts_with("-fsanitize") || each.starts_with("-stdlib") || each.starts_with("-m") ||
        each.starts_with("-flto") || each == "--coverage" || each == "-fprofile-arcs" || each == "-pthread")
      words.push_back(each);
  return words;
}

std::vector<std::string> library_words(const std::string& options) {
  std::vector<std::string> made;
  for (const std::string& each : system::shell_words(options)) {
    const bool is_library = each.ends_with(".a") || each.ends_with(".so") || each.find(".so.") != std::string::npos;
    if (each.starts_with("-l") || each.starts_with("-L") || each == "-pthread" || each.starts_with("-Wl,-rpath") ||
        (is_library && !each.starts_with("-")))
      made.push_back(each);
  }
  return made;
}

bool run_compiler(const std::vector<std::string>& words, const std::string& directory, std::string& log) {
  system::command c{.arguments = words, .directory = directory};
  c.environment = {{"LC_ALL", "C"}};
  c.capture_at_end = true;
  const auto end = system::run(c);
  if (end.succeeded()) return true;
  log += end.out + end.err;
  if (log.empty()) log = system::describe(end, c.timeout);
  return false;
}

}  // namespace morph::build
