// Texts of woven files, and what compilers say against them: a point, a row, or else all points of a file.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "coverage/mutation/compiler_messages.hpp"
#include "plugin/build/mirror.hpp"
#include "plugin/build/twin.hpp"
#include "plugin/mutating/build.hpp"
#include "plugin/observing/woven.hpp"
#include "plugin/source_reader/morph_source.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::observing {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int most_checks = 12;
constexpr int most_builds = 20;

woven_text text_of(const woven_file& file, const fs::path& header) {
  woven_text made;
  made.woven = observation::weave(file.original.source, file.original.places, file.points, file.numbers);
  std::string text = made.woven.text;
  if (file.is_unit) {
    text += "\nnamespace morph_rows{\n";
    for (std::size_t i = 0; i < file.rows.size(); ++i) {
      const observation::row& row = file.rows[i];
      const auto begin = static_cast<std::uint32_t>(text.size());
      text += fmt::format(
          "static void read_{0}(const {1}&v,int d){{(void)v;(void)d;{2}}}"
          "__attribute__((constructor)) static void add_{0}(){{morph_observe::slot<{1}>::read=read_{0};}}\n",
          i, row.type, row.text);
      made.rows.push_back({begin, static_cast<std::uint32_t>(text.size())});
    }
    text += "}\n";
  }
  made.rewritten = mutation::rewrite(text, made.woven.places, file.original.dropped, file.original.first_node);
  made.woven.text = std::move(text);
  const std::string prefix = fmt::format("#include \"{}\"\n#line 1\n", header.string());
  made.prefix = static_cast<std::uint32_t>(prefix.size());
  made.text = prefix + made.rewritten.text;
  return made;
}

class builder {
 public:
  builder(const mutating::setting& run, const mutating::prepared_twin& twin, const mutating::mutated_sources& sources,
          woven_twin& woven)
      : run_(run),
        twin_(twin),
        sources_(sources),
        woven_(woven),
        root_(run.at.source.string() + "/"),
        header_(run.tree.runtime / "observe" / "morph_observe.h") {}

  result<void> build() {
    for (auto& [path, file] : woven_.files) stale_.insert(path);
    bool is_checked = false;
    for (int round = 0;; ++round) {
      if (auto written = write(); !written) return written;
      const auto built = build::build_mutation_twin(run_.tree, {run_.limits.jobs, false});
      if (built) break;
      if (system::interrupted() || round == most_builds) return built;
      const auto log = system::read_file(run_.at.log);
      if (!log) return built;
      if (!std::exchange(is_checked, true)) {
        const auto changed = check(files_of_failures_in(*log));
        if (!changed) return tl::unexpected(changed.error());
        if (*changed) continue;
      }
      if (!drop_by(*log)) return tl::unexpected(mutating::with_first_failure(built.error(), *log));
    }
    forget_dropped();
    return {};
  }

 private:
  void renew() {
    for (const std::string& path : stale_) texts_[path] = text_of(woven_.files.at(path), header_);
    stale_.clear();
  }

  /// By Clang, which says where in the text of these an error is. Whether there was one.
  result<bool> check(const std::set<std::string>& failed) {
    bool changed = false;
    const fs::path staging = run_.state_folder() / "observed";
    std::vector<std::string> options = source_reader::header_options(twin_.request.compiler);
    options.emplace_back("-fno-access-control");
    std::vector<source_reader::source_question> questions;
    for (const build::compile_unit& unit : twin_.request.units)
      if (unit.file.starts_with(root_) && failed.contains(unit.file.substr(root_.size()))) questions.push_back({&unit});
    for (const auto& [path, file] : woven_.files) stale_.insert(path);
    for (int round = 0; round < most_checks && !questions.empty(); ++round) {
      for (const std::string& path : stale_) {
        texts_[path] = text_of(woven_.files.at(path), header_);
        if (auto written = system::write_file_atomically(staging / path, texts_[path].text); !written)
          return tl::unexpected(written.error());
      }
      stale_.clear();
      run_.told.status(fmt::format("checking {} observed sources", questions.size()));
      const auto lines = source_reader::ask_source_program(twin_.request, options, questions,
                                                           {staging.string(), run_.tree.source_dir.string()}, "check");
      if (!lines) return tl::unexpected(lines.error());
      std::vector<source_reader::source_question> again;
      for (const json& line : *lines)
        if (drop_errors(line.at("errors"))) again.push_back(questions.at(line.at("unit").get<std::size_t>()));
      changed = changed || !again.empty();
      questions = std::move(again);
    }
    std::error_code none;
    fs::remove_all(staging, none);
    return changed;
  }

  bool drop_errors(const json& errors) {
    // From behind: what is taken out moves none of the others.
    std::map<std::string, std::set<std::uint32_t, std::greater<>>> at;
    for (const json& error : errors) {
      std::vector<json> bytes{error};
      for (const json& each : error.value("instantiated_at", json::array())) bytes.push_back(each);
      for (const json& byte : bytes) {
        const std::string path = byte.at("file");
        if (!path.starts_with(root_) || !woven_.files.contains(path.substr(root_.size()))) continue;
        const std::string name = path.substr(root_.size());
        const auto offset = byte.at("offset").get<std::uint32_t>();
        if (offset < texts_[name].prefix) continue;
        run_.told.detail(fmt::format("{}: {}", name, error.at("text").get<std::string>()));
        at[name].insert(offset - texts_[name].prefix);
        break;
      }
    }
    bool dropped = false;
    for (const auto& [name, offsets] : at) dropped = drop_all_at(name, {offsets.begin(), offsets.end()}) || dropped;
    return dropped;
  }

  bool drop_all_at(const std::string& name, const std::vector<std::uint32_t>& offsets) {
    woven_file& file = woven_.files.at(name);
    const woven_text& text = texts_.at(name);
    std::set<std::size_t, std::greater<>> rows, points;
    for (const std::uint32_t offset : offsets) {
      const std::uint32_t at = mutation::original_of(text.rewritten, offset);
      const auto row = std::ranges::find_if(
          text.rows, [&](const observation::woven_span& each) { return each.begin <= at && at < each.end; });
      if (row != text.rows.end())
        rows.insert(static_cast<std::size_t>(row - text.rows.begin()));
      else if (const auto point = observation::point_at(text.woven, at))
        points.insert(*point);
    }
    for (const std::size_t each : rows) file.rows.erase(file.rows.begin() + static_cast<std::ptrdiff_t>(each));
    for (const std::size_t each : points) {
      file.points.erase(file.points.begin() + static_cast<std::ptrdiff_t>(each));
      file.numbers.erase(file.numbers.begin() + static_cast<std::ptrdiff_t>(each));
    }
    if (rows.empty() && points.empty()) return false;
    stale_.insert(name);
    return true;
  }

  /// Of what the project's compiler says; where it leads nowhere, the whole file of the step is not observed.
  bool drop_by(const std::string& log) {
    std::map<std::string, std::vector<std::uint32_t>> at;
    for (const auto& places : mutation::errors_in(log))
      for (const mutation::message_place& place : places) {
        const std::string name = in_project(place.file);
        if (name.empty()) continue;
        const auto offset = mutation::offset_of(texts_[name].rewritten, place.line, std::max(1U, place.column));
        if (!offset) continue;
        run_.told.detail(fmt::format("{}:{}: the compiler rejects what is observed there", name, place.line));
        at[name].push_back(*offset);
        break;
      }
    bool dropped = false;
    for (const auto& [name, offsets] : at) dropped = drop_all_at(name, offsets) || dropped;
    if (dropped) return true;
    const auto steps = mutation::failed_steps_in(log);
    run_.told.detail(steps.front().text.substr(0, 2000));
    const std::set<std::string> part = files_of_failures_in(log);
    for (auto& [name, file] : woven_.files) {
      if (!part.contains(name) || (file.points.empty() && file.rows.empty())) continue;
      run_.told.warn(fmt::format("'{}' is not observed: the compiler rejects it", name));
      file.points.clear();
      file.numbers.clear();
      file.rows.clear();
      stale_.insert(name);
      dropped = true;
    }
    return dropped;
  }

  /// Compilers name files as they stand in the build tree.
  std::string in_project(const std::string& named) const {
    const fs::path path = named;
    const std::string file = (path.is_absolute() ? path : run_.at.binary / path).lexically_normal().string();
    for (const std::string& root : {root_, run_.tree.source_dir.string() + "/"})
      if (file.starts_with(root) && woven_.files.contains(file.substr(root.size()))) return file.substr(root.size());
    return {};
  }

  result<void> write() {
    renew();
    std::map<std::string, std::optional<std::string>> replaced;
    for (const auto& file : sources_.files)
      if (!texts_.contains(file.path)) replaced[file.path] = file.rewritten().text;
    std::vector<std::string> units;
    for (const auto& [path, file] : woven_.files) {
      replaced[path] = texts_.at(path).text;
      if (file.is_unit) units.push_back((run_.at.source / path).string());
    }
    if (auto updated = build::update_mirror(run_.tree.source_dir, run_.at.source, {run_.tree.binary_dir}, replaced);
        !updated)
      return tl::unexpected(updated.error());
    if (auto linked = build::link_neighbours(run_.tree.source_dir, run_.at.source); !linked) return linked;
    if (auto written = mutating::write_nodes(run_.at.binary, sources_.nodes); !written) return written;
    return write_observed(units);
  }

  /// For the twin's CMake, which the build runs again if that changes: what is compiled without checks of access.
  result<void> write_observed(const std::vector<std::string>& sources) const {
    const fs::path path = run_.at.binary / ".morph" / "mutants" / "observed.cmake";
    std::string text = "set(MORPH_OBSERVED_SOURCES";
    for (const std::string& each : sources) text += " [==[" + each + "]==]";
    text += ")\n";
    if (const auto now = system::read_file(path); now && *now == text) return {};
    return system::write_file_atomically(path, text);
  }

  std::set<std::string> files_of_failures_in(const std::string& log) const {
    std::set<std::string> named;
    for (const mutation::failed_step& step : mutation::failed_steps_in(log))
      for (const std::string* text : {&step.command, &step.text}) named.merge(files_named_in(*text));
    return named;
  }

  /// By their paths, or by those of the objects that CMake makes of them.
  std::set<std::string> files_named_in(const std::string& text) const {
    constexpr std::string_view ends = " \t\n'\"`:,;()[]=<>";
    constexpr std::string_view object_folder = ".dir/", object = ".o";
    std::set<std::string> named;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find_first_of(ends, at), text.size());
      std::string word = text.substr(at, end - at);
      at = end + 1;
      if (const std::string name = in_project(word); !name.empty()) named.insert(name);
      const auto folder = word.find(object_folder);
      if (folder == std::string::npos || !word.ends_with(object)) continue;
      word = word.substr(folder + object_folder.size() - 1);
      word.resize(word.size() - object.size());
      for (const auto& [name, file] : woven_.files)
        if (("/" + name).ends_with(word)) named.insert(name);
    }
    return named;
  }

  void forget_dropped() {
    for (auto& [where, number] : woven_.calls) {
      const woven_file& file = woven_.files.at(where.first);
      if (std::ranges::find(file.numbers, number) != file.numbers.end()) continue;
      number = 0;
    }
  }

  const mutating::setting& run_;
  const mutating::prepared_twin& twin_;
  const mutating::mutated_sources& sources_;
  woven_twin& woven_;
  std::string root_;
  fs::path header_;
  std::map<std::string, woven_text> texts_;
  std::set<std::string> stale_;
};

}  // namespace

result<void> build_woven(const mutating::setting& run, const mutating::prepared_twin& twin,
                         const mutating::mutated_sources& sources, woven_twin& woven) {
  run.told.status("building what is observed");
  return builder(run, twin, sources, woven).build();
}

}  // namespace morph::observing
