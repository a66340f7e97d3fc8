// Answers of morph-source, each in a file with the digests of what it was made of.
#include "plugin/source_reader/kept_answers.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <optional>

#include "plugin/source_reader/morph_source.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/digest_cache.hpp"
#include "plugin/system/files.hpp"

namespace morph::source_reader {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t units_at_once = 8;

std::string digest_of(const std::string& text) {
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

/// Another version may answer otherwise.
std::string stamp_of(const fs::path& program) {
  struct stat facts {};
  if (::stat(program.c_str(), &facts) != 0) return {};
  return fmt::format("{} {} {}", facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
}

class unit_answers {
 public:
  unit_answers(const build::build_tree& tree, const kept_question& asked, system::observer& told)
      : tree_(tree),
        asked_(asked),
        folder_(tree.own_dir() / asked.folder),
        told_(told),
        options_(header_options(tree.compiler_path)),
        program_(stamp_of(source_program())),
        digests_(folder_ / "digests.json", digest_of) {}

  result<kept_answers> read(const std::vector<build::compile_unit>& units, std::size_t most_unread) {
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
      return tl::unexpected(fmt::format("{} are not read yet; `{}` reads them",
                                        system::counted(unread.size(), "source"), asked_.command));
    if (auto done = read_anew(units, unread, answers); !done) return tl::unexpected(done.error());
    return kept_answers{std::move(answers), unread.size()};
  }

 private:
  result<void> read_anew(const std::vector<build::compile_unit>& units, const std::vector<std::size_t>& unread,
                         std::vector<json>& answers) {
    if (unread.empty()) return {};
    told_.begin(unread.size(), "sources");
    for (std::size_t first = 0; first < unread.size(); first += units_at_once) {
      told_.reach(first, asked_.progress);
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
    const json job = job_of({asked_.task, options_, asked_.root.string(), tree_.binary_dir.string()}, units);
    // Another run may read in this tree, too.
    const fs::path file = folder_ / fmt::format("job-{}.json", ::getpid());
    auto lines = run_source_program(job, file);
    std::error_code ignored;
    fs::remove(file, ignored);
    if (lines && asked_.adjust)
      for (json& each : *lines) asked_.adjust(each);
    return lines;
  }

  std::string key_of(const build::compile_unit& unit) const {
    return digest_of(
        json{asked_.format, unit.directory, unit.file, unit.arguments, options_, asked_.root.string(), program_}
            .dump());
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
  const kept_question& asked_;
  fs::path folder_;
  system::observer& told_;
  std::vector<std::string> options_;
  std::string program_;
  system::digest_cache digests_;
};

}  // namespace

result<kept_answers> read_units(const build::build_tree& tree, const kept_question& asked,
                                const std::vector<build::compile_unit>& units, system::observer& told,
                                std::size_t most_unread) {
  return unit_answers(tree, asked, told).read(units, most_unread);
}

}  // namespace morph::source_reader
