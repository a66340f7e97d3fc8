// A row for each request.
#include "plugin/studio/studio.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "plugin/contract/formats.hpp"
#include "plugin/studio/guard.hpp"
#include "plugin/studio/pages.hpp"
#include "plugin/studio/run_request.hpp"
#include "plugin/studio/source_file.hpp"
#include "plugin/studio/targets.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::studio {
namespace {

using nlohmann::json;

answer not_found(std::string_view path) {
  return refused(404, fmt::format("there is nothing at '{}'", path));
}

answer embedded(std::string_view name) {
  const page* const found = find_page(name);
  if (found == nullptr) return not_found(name);
  return {.type = std::string(mime_type(name)), .body = std::string(found->text)};
}

answer state(const studio& at) {
  json all_runs = json::array();
  for (const run& each : at.started.all()) all_runs.push_back(as_json(each));
  return {.body = json_text({{"schema", contract::studio_state_schema},
                             {"version", at.set.version},
                             {"repository", at.set.repository.string()},
                             {"build", at.set.build.string()},
                             {"commands", at.set.commands},
                             {"runs", all_runs},
                             {"last_event", at.log.last()}})};
}

answer start(studio& at, const std::string& body) {
  const auto asked = read_run_request(body, at.set);
  if (!asked) return refused(400, asked.error());
  const auto started = at.started.start({.program = asked->is_ctest() ? at.set.ctest : at.set.program,
                                         .line = typed_line(*asked, at.set),
                                         .arguments = asked->arguments,
                                         .words = [&](int progress) { return started_words(*asked, at.set, progress); },
                                         .is_ctest = asked->is_ctest(),
                                         .is_recorded = asked->is_recorded});
  if (!started) return refused(503, started.error());
  return {.status = 202, .body = json_text({{"id", (*started)->id}, {"line", (*started)->line}})};
}

answer stop(studio& at, std::uint64_t id) {
  const run* const found = at.started.find(id);
  if (found == nullptr) return refused(404, fmt::format("there is no run {}", id));
  if (!at.started.stop(id)) return refused(409, fmt::format("run {} has ended", id));
  return {.status = 202, .body = json_text({{"id", id}})};
}

answer output(const studio& at, std::uint64_t id) {
  const run* const found = at.started.find(id);
  if (found == nullptr) return refused(404, fmt::format("there is no run {}", id));
  if (!found->has_ended) return refused(409, fmt::format("run {} has not ended", id));
  return {.type = "application/octet-stream", .file = fmt::format("/proc/self/fd/{}", found->output.get())};
}

answer events(const std::string& last) {
  if (last.empty()) return {.type = "text/event-stream", .events_after = 0};
  const auto number = number_in(last);
  if (!number) return refused(400, fmt::format("Last-Event-ID: '{}' is no number", last));
  return {.type = "text/event-stream", .events_after = *number};
}

/// /api/runs/7/stop
struct run_target {
  std::uint64_t id;
  std::string_view what;
};
std::optional<run_target> run_of(std::string_view path) {
  constexpr std::string_view begin = "/api/runs/";
  if (!path.starts_with(begin)) return std::nullopt;
  path.remove_prefix(begin.size());
  const std::size_t slash = path.find('/');
  const auto id = number_in(path.substr(0, slash));
  if (!id || slash == std::string_view::npos) return std::nullopt;
  return run_target{*id, path.substr(slash + 1)};
}

answer get(studio& at, const request& asked, const target& wanted) {
  if (wanted.path == "/") return embedded("index.html");
  if (wanted.path.starts_with("/app/")) return embedded(std::string_view(wanted.path).substr(5));
  if (wanted.path == "/api/state") return state(at);
  if (wanted.path == "/api/events") return events(asked.last_event);
  if (wanted.path == "/api/source") return source_file(wanted.file, at.set);
  if (const auto of = run_of(wanted.path); of && of->what == "output") return output(at, of->id);
  return not_found(wanted.path);
}

answer post(studio& at, const request& asked, const target& wanted) {
  if (wanted.path == "/api/runs") return start(at, asked.body);
  if (const auto of = run_of(wanted.path); of && of->what == "stop") return stop(at, of->id);
  return not_found(wanted.path);
}

}  // namespace

studio::studio(settings of, std::uint16_t bound_port, std::string secret)
    : set(std::move(of)), port(bound_port), token(std::move(secret)), started(log, set.build / ".morph") {}

answer answer_to(studio& at, const request& asked) {
  if (auto refusing = refusal(asked, at.token, at.port)) return std::move(*refusing);
  const auto wanted = read_target(asked.target);
  if (!wanted) return refused(400, fmt::format("'{}' is no path with a query", asked.target));
  if (asked.method == "GET") return get(at, asked, *wanted);
  if (asked.method == "POST") return post(at, asked, *wanted);
  answer none = refused(405, fmt::format("{} is not served; GET and POST are", asked.method));
  none.allowed = "GET, POST";
  return none;
}

}  // namespace morph::studio
