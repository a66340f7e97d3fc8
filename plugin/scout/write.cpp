// Checks first, then writes, and takes back what was written if something fails.
#include "plugin/scout/write.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <regex>
#include <utility>

#include "plugin/build/cmake_edit.hpp"
#include "plugin/system/files.hpp"

namespace morph::scout {
namespace {

namespace fs = std::filesystem;

/// Of CMake.
std::string target_of(const build::compile_unit& unit) {
  static const std::regex folder("CMakeFiles/([^/]+)\\.dir/");
  std::smatch found;
  return std::regex_search(unit.object, found, folder) ? found[1].str() : std::string();
}

/// Headers that lie beside the tests are named from where the specs are.
std::string with_headers_of(const fs::path& tests, const std::string& text, const fs::path& into) {
  static const std::regex quoted("(^|\\n)(\\s*#\\s*include\\s*\")([^\"]+)\"");
  std::string made;
  auto rest = text.cbegin();
  std::smatch found;
  std::error_code ignored;
  while (std::regex_search(rest, text.cend(), found, quoted)) {
    const fs::path header = tests / found[3].str();
    made.append(rest, found[3].first);
    made += fs::exists(header, ignored)
                ? fs::weakly_canonical(header, ignored).lexically_relative(into).generic_string()
                : found[3].str();
    made += '"';
    rest = found[0].second;
  }
  return made.append(rest, text.cend());
}

class undo {
 public:
  void remember(const fs::path& file) {
    const auto text = system::read_file(file);
    before_.try_emplace(file, text ? std::optional(*text) : std::nullopt);
  }
  void run() const {
    std::error_code ignored;
    for (const auto& [file, text] : before_)
      if (text)
        (void)system::write_file_atomically(file, *text);
      else
        fs::remove(file, ignored);
  }

 private:
  std::map<fs::path, std::optional<std::string>> before_{};
};

}  // namespace

contract::outcome<void> can_write(const fs::path& folder, const std::vector<spec_source>& of) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    return contract::not_done(contract::usage, fmt::format("--write '{}' is not a folder", folder.string()));
  for (const spec_source& each : of) {
    const fs::path file = folder / file_name_of(each);
    const auto known = system::read_file(file);
    if (!known && fs::exists(fs::symlink_status(file, error)))
      return contract::not_done(contract::usage, fmt::format("'{}' cannot be read: it stays as it is", file.string()));
    if (known && known->find(written_by_scout) == std::string::npos)
      return contract::not_done(
          contract::usage,
          fmt::format("'{}' is there already, and is not of `morph scout`: it stays as it is", file.string()));
  }
  return {};
}

contract::outcome<written_specs> write_specs(const build::build_tree& tree, const fs::path& folder,
                                             const std::vector<tried_source>& of) {
  std::error_code error;
  const fs::path into = fs::canonical(folder, error);
  if (error)
    return contract::not_done(contract::environment, fmt::format("'{}': {}", folder.string(), error.message()));
  const auto model = build::read_cmake_model(tree.binary_dir, "");
  if (!model) return contract::not_done(contract::environment, model.error());
  written_specs made;
  undo back;
  const auto fail = [&](std::string why) {
    back.run();
    return contract::not_done(contract::environment, std::move(why));
  };
  for (const tried_source& each : of) {
    if (each.kept.specs.empty()) continue;
    const fs::path file = into / file_name_of(each.kept);
    back.remember(file);
    const std::string text =
        with_headers_of(fs::path(each.kept.from->unit.file).parent_path(), text_of(each.kept).text, into);
    if (const auto done = system::write_file_atomically(file, text); !done) return fail(done.error());
    made.files.push_back(file);
    const std::string target = target_name_of(each.kept);
    const build::cmake_target* const known = model->find(target);
    if (known != nullptr) continue;  // of a time before
    const auto line = build::propose_cmake_line(
        file, target, {.sources = each.helper_sources, .like = target_of(each.kept.from->unit)}, &*model);
    if (!line) return fail(line.error());
    if (line->added.empty()) continue;
    back.remember(line->file);
    if (const auto done = system::write_file_atomically(line->file, line->content); !done) return fail(done.error());
    made.cmake.push_back(fmt::format("{}: {}", line->file.string(), line->added));
    made.notes.insert(made.notes.end(), line->notes.begin(), line->notes.end());
  }
  return made;
}

}  // namespace morph::scout
