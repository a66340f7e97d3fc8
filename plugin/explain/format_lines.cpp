// Runs clang-format on a copy.
#include "plugin/explain/format_lines.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::explain {
namespace {

namespace fs = std::filesystem;

bool has_style(const fs::path& as, const fs::path& root) {
  for (fs::path at = as.parent_path(); system::is_inside(at.string(), root.string()); at = at.parent_path())
    if (fs::exists(at / ".clang-format") || fs::exists(at / "_clang-format")) return true;
  return false;
}

}  // namespace

std::string formatted_lines(const std::string& text, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& lines,
                            const fs::path& as, const fs::path& root) {
  if (!has_style(as, root) || lines.empty()) return text;
  const fs::path copy = fs::temp_directory_path() / fmt::format("morph-explain-{}.cpp", ::getpid());
  if (!system::write_file_atomically(copy, text)) return text;
  system::command c{
      .arguments = {"sh", "-c",
                    "name=$1; file=$2; shift 2; clang-format --assume-filename=\"$name\" \"$@\" < \"$file\"", "sh",
                    as.string(), copy.string()}};
  for (const auto& [first, last] : lines) c.arguments.push_back(fmt::format("--lines={}:{}", first, last));
  c.capture_at_end = true;
  const auto end = system::run(c);
  std::error_code ignored;
  fs::remove(copy, ignored);
  return end.succeeded() && !end.out.empty() ? end.out : text;
}

}  // namespace morph::explain
