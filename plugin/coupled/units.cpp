// Answers of morph-source, each in a file with the digests of what it was made of.
#include "plugin/coupled/units.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "plugin/build/compile_commands.hpp"
#include "plugin/coupled/sources.hpp"
#include "plugin/frameworks/test_names.hpp"
#include "plugin/frameworks/test_sources.hpp"
#include "plugin/source_reader/morph_source.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/digest_cache.hpp"
#include "plugin/system/files.hpp"

namespace morph::coupled {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kept_format = 1;  // raised when the answers say more
constexpr std::size_t units_at_once = 8;

std::string digest_of(const std::string& text) {
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

std::vector<build::compile_unit> production_units(const build::build_tree& tree,
                                                  const std::vector<build::compile_unit>& all) {
  std::vector<build::compile_unit> production, others;
  std::set<std::string> seen;
  for (const build::compile_unit& each : all) {
    if (!build::is_source(each.file) || !system::is_inside(each.file, tree.source_dir.string()) ||
        system::is_inside(each.file, tree.binary_dir.string()) || !seen.insert(each.file).second)
      continue;
    const std::string path = fs::path(each.file).lexically_relative(tree.source_dir).generic_string();
    const auto text = system::read_file(each.file);
    const bool is_test = frameworks::is_named_as_tests(path) || !text || frameworks::mentions_tests(*text);
    (is_test ? others : production).push_back(each);
  }
  return production.empty() ? others : production;
}

/// The root of the repository as the build tree spells it, which may be by a symbolic link.
fs::path spelled_root(const fs::path& source_dir, const fs::path& root) {
  std::error_code failed;
  const fs::path real = fs::canonical(source_dir, failed);
  const fs::path below = failed ? fs::path() : real.lexically_relative(root);
  if (below == ".") return source_dir;
  fs::path made = source_dir;
  for (auto part = below.begin(); part != below.end(); ++part) made = made.parent_path();
  return !below.empty() && made / below == source_dir ? made : root;
}

class unit_answers {
 public:
  unit_answers(const build::build_tree& tree, const fs::path& root, system::observer& told)
      : tree_(tree),
        root_(spelled_root(tree.source_dir, root)),
        folder_(tree.own_dir() / "coupled"),
        told_(told),
        options_(source_reader::header_options(tree.compiler_path)),
        digests_(folder_ / "digests.json", digest_of) {}

  result<std::vector<json>> read(std::size_t most_unread) {
    const auto all = build::compile_commands_of(tree_);
    if (!all) return tl::unexpected(all.error());
    const auto units = production_units(tree_, *all);
    if (units.empty()) return tl::unexpected(std::string("the build tree compiles no source of the project"));
    std::vector<json> answers(units.size());
    std::vector<std::size_t> unread;
    for (std::size_t i = 0; i < units.size(); ++i) {
      // A header that is missing may be there now.
      if (auto known = kept(units[i], most_unread != any_number))
        answers[i] = std::move(*known);
      else
        unread.push_back(i);
    }
    if (unread.size() > most_unread)
      return tl::unexpected(fmt::format("{} are not read yet; `morph report coverage --coupled` reads them",
                                        system::counted(unread.size(), "source")));
    if (auto done = read_anew(units, unread, answers); !done) return tl::unexpected(done.error());
    return answers;
  }

 private:
  result<void> read_anew(const std::vector<build::compile_unit>& units, const std::vector<std::size_t>& unread,
                         std::vector<json>& answers) {
    if (unread.empty()) return {};
    told_.begin(unread.size(), "sources");
    for (std::size_t first = 0; first < unread.size(); first += units_at_once) {
      told_.reach(first, "reading branches");
      const std::size_t count = std::min(units_at_once, unread.size() - first);
      std::vector<build::compile_unit> some;
      for (std::size_t i = 0; i < count; ++i) some.push_back(units[unread[first + i]]);
      auto read = ask(some);
      if (!read) return tl::unexpected(read.error());
      for (json& line : *read) {
        const std::size_t unit = line.at("unit");
        keep(some.at(unit), line);
        answers[unread[first + unit]] = std::move(line);
      }
    }
    told_.end();
    for (const std::size_t i : unread)
      if (answers[i].is_null()) return tl::unexpected(fmt::format("Clang could not read '{}'", units[i].file));
    return {};
  }

  result<std::vector<json>> ask(const std::vector<build::compile_unit>& units) const {
    const json job = source_reader::job_of({"branches", options_, root_.string(), tree_.binary_dir.string()}, units);
    // Another run may read in this tree, too.
    const fs::path file = folder_ / fmt::format("job-{}.json", ::getpid());
    auto lines = source_reader::run_source_program(job, file);
    std::error_code ignored;
    fs::remove(file, ignored);
    if (lines)
      for (json& each : *lines) name_from_root(each);
    return lines;
  }

  void name_from_root(json& answer) const {
    const auto named = [&](json& path) {
      const std::string text = path;
      if (system::is_inside(text, root_.string())) path = fs::path(text).lexically_relative(root_).generic_string();
    };
    for (json& file : answer.at("files")) {
      named(file.at("path"));
      for (json& function : file.at("functions"))
        for (json& call : function.at("calls")) named(call.at("callee_file"));
    }
  }

  std::string key_of(const build::compile_unit& unit) const {
    return digest_of(json{kept_format, unit.directory, unit.file, unit.arguments, options_, root_.string()}.dump());
  }

  fs::path file_of(const build::compile_unit& unit) const {
    return folder_ / (digest_of(build::name_of(unit)) + ".cbor");
  }

  std::optional<std::string> digest_now(const std::string& path) {
    struct stat facts {};
    return ::stat(path.c_str(), &facts) == 0 ? digests_.of(path, facts) : std::nullopt;
  }

  std::optional<json> kept(const build::compile_unit& unit, bool with_errors) {
    const auto bytes = system::read_file(file_of(unit));
    if (!bytes) return std::nullopt;
    try {
      json all = json::from_cbor(*bytes);
      if (all.at("key") != key_of(unit) || (!with_errors && all.value("has_errors", false))) return std::nullopt;
      for (const auto& [path, digest] : all.at("of").items())
        if (digest_now(path) != digest.get<std::string>()) return std::nullopt;
      return std::move(all.at("answer"));
    } catch (const json::exception&) {  // of another version, or cut off
      return std::nullopt;
    }
  }

  void keep(const build::compile_unit& unit, json& answer) {
    json of = json::object();
    if (const auto digest = digest_now(unit.file)) of[unit.file] = *digest;  // Clang may have named no file
    for (const json& each : answer.value("consists_of", json::array())) {
      const std::string path = each;
      if (const auto digest = digest_now(path)) of[path] = *digest;
    }
    answer.erase("consists_of");
    const bool has_errors = !answer.value("errors", json::array()).empty();
    const auto bytes =
        json::to_cbor({{"key", key_of(unit)}, {"has_errors", has_errors}, {"of", std::move(of)}, {"answer", answer}});
    static_cast<void>(
        system::write_file_atomically(file_of(unit), {reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
  }

  const build::build_tree& tree_;
  fs::path root_, folder_;
  system::observer& told_;
  std::vector<std::string> options_;
  system::digest_cache digests_;
};

}  // namespace

result<std::vector<json>> read_units(const build::build_tree& tree, const fs::path& root, std::size_t most_unread,
                                     system::observer& told) {
  return unit_answers(tree, root, told).read(most_unread);
}

}  // namespace morph::coupled
