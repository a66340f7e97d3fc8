// Clang finds the points of each unit; units of one file agree on them by their bytes.
#include "plugin/observing/woven.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "plugin/source_reader/morph_source.hpp"
#include "plugin/system/files.hpp"

namespace morph::observing {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct reading {
  const mutating::setting& run;
  const mutating::prepared_twin& twin;
  std::string root;  // of the mirror, with a slash

  std::string in_project(const std::string& path) const {
    return path.starts_with(root) ? path.substr(root.size()) : std::string();
  }
};

/// Units that have a part in what is observed.
std::vector<const build::compile_unit*> units_of(const reading& of, const mutating::mutated_sources& sources,
                                                 const std::set<std::string>& observed) {
  std::vector<const build::compile_unit*> units;
  for (const build::compile_unit& unit : of.twin.request.units) {
    bool has_part = observed.contains(of.in_project(unit.file));
    if (const auto content = sources.contents.find(build::name_of(unit)); content != sources.contents.end())
      for (const auto& [path, hash] : content->second.files)
        has_part = has_part || observed.contains(of.in_project(path));
    if (has_part) units.push_back(&unit);
  }
  return units;
}

result<std::vector<json>> ask(const reading& of, const std::vector<const build::compile_unit*>& units,
                              const json& observed) {
  json job{{"mirror", of.run.at.source.string()},
           {"from", json::array({of.run.tree.source_dir.string()})},
           {"options", source_reader::header_options(of.twin.request.compiler)},
           {"root", of.run.at.source.string()},
           {"except", json::array()},
           {"operators", json::array()},
           {"extreme", false},
           {"task", "observe"},
           {"observed", observed},
           {"workers", of.run.limits.jobs},
           {"units", json::array()}};
  for (const build::compile_unit* unit : units)
    job["units"].push_back({{"directory", unit->directory},
                            {"file", unit->file},
                            {"arguments", unit->arguments},
                            {"mutants", json::array()}});
  return source_reader::run_source_program(job, of.run.state_folder() / "job.json");
}

result<woven_file*> file_at(woven_twin& made, const reading& of, const mutating::mutated_sources& sources,
                            const std::string& path) {
  const auto [known, is_new] = made.files.try_emplace(path);
  if (!is_new) return &known->second;
  const auto mutated = std::ranges::find(sources.files, path, &mutation::mutated_file::path);
  if (mutated != sources.files.end()) {
    known->second.original = *mutated;
    return &known->second;
  }
  auto text = system::read_file(of.run.tree.source_dir / path);
  if (!text) return tl::unexpected(text.error());
  known->second.original.path = path;
  known->second.original.source = std::move(*text);
  return &known->second;
}

void number(woven_twin& made) {
  for (auto& [path, file] : made.files) {
    observation::put_in_order(file.points);
    for (const observation::point& each : file.points) {
      const auto next = static_cast<std::uint32_t>(made.points.size());
      file.numbers.push_back(next);
      made.points.push_back({path, each});
      if (each.kind == observation::point_kind::call) made.calls[{path, each.end}] = next;
    }
  }
}

}  // namespace

result<woven_twin> weave(const mutating::setting& run, const mutating::prepared_twin& twin,
                         const mutating::mutated_sources& sources, const std::vector<chosen_mutant>& mutants,
                         const std::set<std::string>& tests) {
  const reading of{run, twin, run.at.source.string() + "/"};
  std::set<std::string> observed = tests;
  json functions = json::array(), test_files = json::array();
  std::set<std::pair<std::string, std::uint32_t>> asked;
  for (const chosen_mutant& each : mutants) {
    const mutation::mutated_file& file = sources.files[each.file];
    if (!each.has_function || !asked.insert({file.path, each.function}).second) continue;
    observed.insert(file.path);
    functions.push_back({of.root + file.path, file.places.functions[each.function].begin});
  }
  for (const std::string& each : tests) test_files.push_back(of.root + each);
  const auto units = units_of(of, sources, observed);
  run.told.status(fmt::format("reading what {} sources observe", units.size()));
  for (const std::string& each : observed) run.told.detail(fmt::format("observed: {}", each));
  const auto lines = ask(of, units, {{"functions", functions}, {"tests", test_files}});
  if (!lines) return tl::unexpected(lines.error());

  woven_twin made;
  try {
    for (const json& line : *lines) {
      for (const auto& [path, points] : line.at("files").items()) {
        const std::string name = of.in_project(path);
        if (!observed.contains(name)) continue;
        auto file = file_at(made, of, sources, name);
        if (!file) return tl::unexpected(file.error());
        for (const json& each : points) (*file)->points.push_back(observation::point_of(each));
      }
      for (const json& each : line.value("not_read", json::array()))
        made.not_read[{of.in_project(each.at(0)), each.at(1)}] = each.at(2);
    }
    // A unit that has points says how its types are read, or else the first one that knows a type.
    std::set<std::string> known_types;
    for (const bool has_points : {true, false}) {
      for (const json& line : *lines) {
        const std::string name = of.in_project(units.at(line.at("unit").get<std::size_t>())->file);
        const auto file = made.files.find(name);
        const bool has = file != made.files.end() && (!file->second.points.empty() || file->second.is_unit);
        if (name.empty() || has != has_points) continue;
        std::vector<observation::row> rows;
        for (const json& each : line.at("rows"))
          if (has || !known_types.contains(each.at(0))) rows.push_back({each.at(0), each.at(1)});
        if (rows.empty()) continue;
        for (const observation::row& each : rows) known_types.insert(each.type);
        auto to = file_at(made, of, sources, name);
        if (!to) return tl::unexpected(to.error());
        (*to)->is_unit = true;
        auto& all = (*to)->rows;
        for (observation::row& each : rows)
          if (std::ranges::find(all, each.type, &observation::row::type) == all.end()) all.push_back(std::move(each));
      }
    }
  } catch (const json::exception& error) {
    return tl::unexpected(fmt::format("what was read of the sources is not understood: {}", error.what()));
  }
  number(made);
  return made;
}

}  // namespace morph::observing
