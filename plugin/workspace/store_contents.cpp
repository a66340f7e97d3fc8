// Reading it, and the two forms.
#include "plugin/workspace/store_contents.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "plugin/contract/formats.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/workspace/sound_store.hpp"
#include "plugin/workspace/watched_files.hpp"

namespace morph::workspace {

using nlohmann::json;

result<store_contents> contents_of(const std::string& path) {
  auto evidence = store::evidence_store::open_for_reading(path);
  if (!evidence) return tl::unexpected(evidence.error());
  store_contents found{path, evidence->has_value(), 0, {}};
  if (!found.is_there) return found;
  const auto measurements = (*evidence)->measurements();
  if (!measurements) return tl::unexpected(measurements.error());
  found.bytes = size_of_file(path);
  for (const auto& m : *measurements) {
    const auto facts = (*evidence)->load(m.id);
    if (!facts) return tl::unexpected(facts.error());
    held_measurement& held = found.measurements.emplace_back(held_measurement{m, 0, 0, 0, facts->classes.size()});
    for (const auto& t : facts->tests) {
      held.tests += t.is_startup() ? 0 : 1;
      held.measured += !t.is_startup() && t.measured ? 1 : 0;
      held.incomplete += !t.is_startup() && t.measured && t.is_doubtful() ? 1 : 0;
    }
  }
  return found;
}

std::string as_json(const store_contents& of) {
  json list = json::array();
  for (const held_measurement& m : of.measurements)
    list.push_back({{"id", m.info.id},
                    {"commit", m.info.taken_from.commit},
                    {"dirty", has_uncommitted_changes(m.info.taken_from)},
                    {"complete", m.info.complete},
                    {"created", date_of(m.info.created)},
                    {"tests", m.tests},
                    {"measured", m.measured},
                    {"incomplete", m.incomplete},
                    {"classes", m.classes},
                    {"configuration", json::parse(m.info.configuration, nullptr, false)}});
  return json{{"schema", contract::store_schema}, {"path", of.path}, {"bytes", of.bytes}, {"measurements", list}}.dump(
             1) +
         '\n';
}

std::string as_text(const store_contents& of) {
  if (!of.is_there) return fmt::format("{}: not there yet; `morph measure` makes it\n", of.path);
  std::string text = fmt::format("{}: {}, {}\n", of.path, system::counted(of.bytes, "byte"),
                                 system::counted(of.measurements.size(), "measurement"));
  for (const held_measurement& m : of.measurements)
    text += fmt::format("  {} {}{}: {} of {}, {} incomplete, {}{}\n", date_of(m.info.created),
                        m.info.taken_from.commit.substr(0, 10),
                        has_uncommitted_changes(m.info.taken_from) ? " + uncommitted changes" : "", m.measured,
                        system::counted(m.tests, "test"), m.incomplete, system::counted(m.classes, "class", "classes"),
                        m.info.complete ? "" : " (interrupted)");
  return text;
}

result<store_findings> findings_in(const std::string& path) {
  auto evidence = store::evidence_store::open_for_reading(path);
  if (!evidence) return tl::unexpected(evidence.error());
  if (!*evidence) return store_findings{path, {}};
  auto found = (*evidence)->verify();
  if (!found) return tl::unexpected(found.error());
  return store_findings{path, std::move(*found)};
}

std::string as_json(const store_findings& of) {
  return json{{"schema", contract::verify_schema}, {"path", of.path}, {"findings", of.findings}}.dump(1) + '\n';
}

std::string as_text(const store_findings& of) {
  std::string text;
  for (const std::string& line : of.findings) text += line + '\n';
  return text + fmt::format("{}: {}\n", of.path,
                            of.findings.empty() ? "sound" : system::counted(of.findings.size(), "finding"));
}

}  // namespace morph::workspace
