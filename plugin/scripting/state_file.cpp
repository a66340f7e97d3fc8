// Packs entries into one file, and unpacks them with checks.
#include "plugin/scripting/state_file.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "plugin/contract/formats.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::scripting {
namespace {

using nlohmann::json;

std::string digest_of(std::string_view text) {
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

std::string line_of(const json& value) {
  return json_text(value) + "\n";
}

/// The text before the next newline, which `rest` loses with it. Nothing if there is none.
std::optional<std::string_view> take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  return line;
}

template <typename Value>
std::optional<Value> member(const json& of, const char* name) {
  if (!of.is_object() || !of.contains(name)) return std::nullopt;
  if constexpr (std::is_same_v<Value, std::string>) {
    if (!of[name].is_string()) return std::nullopt;
  } else {
    if (!of[name].is_number_unsigned()) return std::nullopt;
  }
  return of[name].get<Value>();
}

}  // namespace

std::string state_text(const saved_state& of) {
  json head{{"schema", contract::state_schema}, {"entries", of.entries.size()}};
  if (of.seed) head["seed"] = *of.seed;
  std::string text = line_of(head);
  for (const state_entry& each : of.entries) {
    text += line_of({{"kind", each.kind}, {"path", each.path}, {"bytes", each.content.size()}});
    text += each.content + "\n";
  }
  return text + line_of({{"digest", digest_of(text)}});
}

tl::expected<saved_state, std::string> read_state(std::string_view text) {
  const auto fail = [](const std::string& what) { return tl::unexpected(what); };
  constexpr const char* cut = "the file is cut off; it was not written to its end, or not copied whole";
  std::string_view rest = text;
  const auto first = take_line(rest);
  const json head = json::parse(first.value_or(text), nullptr, false);
  const auto schema = member<std::string>(head, "schema");
  if (!schema || !schema->starts_with("morph.state/"))
    return fail(text.empty() ? "the file is empty" : "this is no file that `morph spec state save` has written");
  if (*schema != contract::state_schema)
    return fail(fmt::format("the file has the format {}; this Morph reads {}", *schema, contract::state_schema));
  const auto entries = member<std::uint64_t>(head, "entries");
  if (!entries) return fail("its first line does not say how much there is");
  saved_state found{member<std::uint64_t>(head, "seed"), {}};
  for (std::uint64_t i = 0; i < *entries; ++i) {
    const auto line = take_line(rest);
    if (!line) return fail(cut);
    const json each = json::parse(*line, nullptr, false);
    const auto kind = member<std::string>(each, "kind"), path = member<std::string>(each, "path");
    const auto bytes = member<std::uint64_t>(each, "bytes");
    if (!kind || !path || !bytes) return fail(fmt::format("entry {} is none: {}", i + 1, line->substr(0, 80)));
    if (rest.size() <= *bytes) return fail(cut);
    found.entries.push_back({*kind, *path, std::string(rest.substr(0, *bytes))});
    if (rest[*bytes] != '\n') return fail(fmt::format("the entry '{}' has another length than its head says", *path));
    rest.remove_prefix(*bytes + 1);
  }
  const std::string_view before = text.substr(0, text.size() - rest.size());
  const auto last = take_line(rest);
  if (!last) return fail(cut);
  const auto digest = member<std::string>(json::parse(*last, nullptr, false), "digest");
  if (!digest || *digest != digest_of(before) || !rest.empty())
    return fail("the file was changed after it was written: its digest is another one");
  std::set<std::string> paths;
  for (const state_entry& each : found.entries) {
    if (const std::string problem = problem_of(each); !problem.empty())
      return fail(fmt::format("the entry '{}': {}", each.path, problem));
    if (!paths.insert(each.path).second) return fail(fmt::format("the entry '{}' is there twice", each.path));
  }
  return found;
}

std::string problem_of(const state_entry& entry) {
  const std::filesystem::path path = entry.path;
  if (entry.path.empty() || path.is_absolute() || path.lexically_normal().string() != entry.path ||
      *path.begin() == ".." || *path.begin() == ".git" || entry.path.find('\0') != std::string::npos)
    return "it lies outside of the project";
  if (entry.kind == "pool") {
    const std::string_view head = std::string_view(entry.content).substr(0, entry.content.find('\n'));
    const auto what = member<std::string>(json::parse(head, nullptr, false), "morph");
    return what == "pool" ? std::string() : "it is no pool: its first line does not say {\"morph\":\"pool\",...}";
  }
  const bool is_script = entry.kind == "script" && path.extension() == ".morph";
  const bool is_message = entry.kind == "messages" && (path.extension() == ".log" || path.extension() == ".csv");
  if (!is_script && !is_message) return fmt::format("there are no {} of that name", entry.kind);
  return path.parent_path() == ".morph/scripts" ? std::string() : "scripts and messages are kept in .morph/scripts";
}

}  // namespace morph::scripting
