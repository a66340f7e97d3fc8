// All stores are looked at before one is written.
#include "plugin/workspace/merging.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "plugin/contract/formats.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/workspace/sound_store.hpp"

namespace morph::workspace {

namespace fs = std::filesystem;
using store::evidence_store;

result<merged_store> merge_stores(const std::vector<std::string>& from, const std::string& into) {
  // All are looked at before anything is written.
  std::vector<evidence_store> opened;
  for (const std::string& path : from) {
    auto sound = open_sound(path);
    if (!sound) return tl::unexpected(fmt::format("{}; nothing was merged, '{}' is as it was", sound.error(), into));
    opened.push_back(std::move(*sound));
  }
  std::error_code error;
  std::optional<held_store> target;
  if (fs::exists(into, error) && fs::file_size(into, error) > 0) {
    auto held = hold_sound(into);
    if (!held) return tl::unexpected(fmt::format("{}; nothing was merged", held.error()));
    target = std::move(*held);
  }
  std::vector<evidence_store*> all;
  for (evidence_store& store : opened) all.push_back(&store);
  if (target) all.push_back(&target->store);
  const auto totals = store::replace_by_union(into, all, [](const auto&) { return true; });
  if (!totals) return tl::unexpected(fmt::format("{}; '{}' is as it was", totals.error(), into));
  return merged_store{into, *totals, size_of_file(into)};
}

std::string as_json(const merged_store& of) {
  return nlohmann::json{{"schema", contract::merge_schema},
                        {"path", of.path},
                        {"bytes", of.bytes},
                        {"measurements", of.totals.measurements},
                        {"verdicts", of.totals.outcomes},
                        {"audits", of.totals.audits}}
             .dump() +
         '\n';
}

std::string as_text(const merged_store& of) {
  return fmt::format("{}: {}, {}, {}\n", of.path, system::counted(of.totals.measurements, "measurement"),
                     system::counted(of.totals.outcomes, "verdict"), system::counted(of.bytes, "byte"));
}

}  // namespace morph::workspace
