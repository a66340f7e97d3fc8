// Writing them.
#include "plugin/report/sarif.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "plugin/report/summary.hpp"

namespace morph::report {

using nlohmann::json;

std::string as_uri(std::string_view path) {
  static constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string uri;
  for (const char c : path)
    uri += plain.find(c) != std::string_view::npos ? std::string(1, c)
                                                   : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return uri;
}

json sarif_rule(const std::string& id, const std::string& summary, const std::string& help) {
  return {{"id", id}, {"shortDescription", {{"text", summary}}}, {"help", {{"text", help}}}};
}

json sarif_artifact(const std::string& path) {
  return {{"uri", as_uri(path)}, {"uriBaseId", "%SRCROOT%"}};
}

json sarif_result(const std::string& rule, const char* level, const std::string& message, const std::string& path,
                  json region) {
  const json place{{"artifactLocation", sarif_artifact(path)}, {"region", std::move(region)}};
  return {{"ruleId", rule},
          {"level", level},
          {"message", {{"text", message}}},
          {"locations", json::array({{{"physicalLocation", place}}})}};
}

std::string sarif_log(json rules, json results, const std::string& version) {
  const json driver{{"name", "Morph"}, {"version", version}, {"rules", std::move(rules)}};
  return dump({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
               {"version", "2.1.0"},
               {"runs", json::array({{{"tool", {{"driver", driver}}},
                                      {"columnKind", "utf16CodeUnits"},
                                      {"results", std::move(results)}}})}});
}

}  // namespace morph::report
