// Asks, and follows what answers name: specs, scripts, sources.
#include "plugin/offline/collect.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "plugin/studio/source_file.hpp"
#include "plugin/system/process.hpp"

namespace morph::offline {
namespace {

using nlohmann::json;

constexpr std::size_t most_messages = 100;
constexpr std::size_t most_specs = 200, most_scripts = 200;

const std::array<words, 12>& first_questions() {
  static const std::array<words, 12> all{{{"plan"},
                                          {"plan", "--why"},
                                          {"plan", "--pareto"},
                                          {"optimize"},
                                          {"report", "coverage"},
                                          {"report", "mutation"},
                                          {"explain", "--stage", "suggestion", "--most", "50"},
                                          {"spec", "list"},
                                          {"script", "list"},
                                          {"store", "info"},
                                          {"store", "history"},
                                          {"store", "export"}}};
  return all;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return lines;
}

/// The pages read the verdicts of a store alone, which is the least of it.
std::string verdicts_of(std::string_view exported) {
  std::string kept;
  for (const std::string& line : lines_of(exported))
    if (line.find("\"verdict\":") != line.npos) kept += line + "\n";
  return kept;
}

/// The texts of a member `name` of the objects in the member `list`.
std::vector<std::string> names_in(const document& of, const char* list, const char* name, std::size_t most) {
  std::vector<std::string> names;
  const json root = json::parse(of.output, nullptr, false);
  if (!root.is_object() || !root.contains(list) || !root[list].is_array()) return names;
  for (const json& each : root[list])
    if (each.is_object() && each.contains(name) && each[name].is_string() && names.size() < most)
      names.push_back(each[name].get<std::string>());
  return names;
}

void add_sources(const document& coverage, const studio::settings& of, const bounds& at_most, collected& to) {
  std::size_t bytes = 0;
  for (const std::string& path : names_in(coverage, "files", "path", std::string::npos)) {
    studio::answer found = studio::source_file(path, of, at_most.source);
    const bool fits = found.status == 200 && bytes + found.body.size() <= at_most.sources;
    if (fits) {
      bytes += found.body.size();
      to.sources.push_back({path, std::move(found.body)});
    } else if (found.status == 200 || found.status == 413) {
      to.left_out.push_back(path);
    }
  }
}

}  // namespace

words arguments_of(const words& asked, const studio::settings& of) {
  words all{asked.front()};
  if (std::ranges::find(of.typed, "--build") == of.typed.end()) all.insert(all.end(), {"--build", of.build.string()});
  all.insert(all.end(), of.typed.begin(), of.typed.end());
  all.emplace_back("--json");
  all.insert(all.end(), asked.begin() + 1, asked.end());
  return all;
}

asking by_own_program(const studio::settings& of) {
  return [of](const words& asked) {
    words all = arguments_of(asked, of);
    all.insert(all.begin(), system::own_executable().string());
    system::process_end end = system::run({.arguments = std::move(all), .ends_with_us = true, .capture_at_end = true});
    document made{asked, end.code, lines_of(end.err), std::move(end.out)};
    if (end.how != system::process_end::kind::exited) {
      made.exit = 4;
      made.messages.push_back(fmt::format("the command {}", system::describe(end, std::chrono::milliseconds(0))));
    }
    if (made.messages.size() > most_messages)
      made.messages.erase(made.messages.begin(), made.messages.end() - most_messages);
    return made;
  };
}

collected collect(const studio::settings& of, const asking& ask, const bounds& at_most, system::observer& told) {
  collected made;
  std::vector<words> questions(first_questions().begin(), first_questions().end());
  told.begin(questions.size(), "documents");
  for (std::size_t i = 0; i < questions.size() && !system::interrupted(); ++i) {
    told.reach(i, fmt::format("morph {}", fmt::join(questions[i], " ")));
    document found = ask(questions[i]);
    if (found.arguments == words{"report", "coverage"}) add_sources(found, of, at_most, made);
    if (found.arguments == words{"store", "export"} && found.exit == 0) found.output = verdicts_of(found.output);
    if (found.arguments == words{"spec", "list"})
      for (const std::string& name : names_in(found, "specs", "name", most_specs))
        questions.push_back(
            {"spec", "show", "--spec", name, "--pool", (of.build / ".morph" / (name + ".cases.jsonl")).string()});
    if (found.arguments == words{"script", "list"})
      for (const std::string& name : names_in(found, "scripts", "name", most_scripts)) {
        questions.push_back({"script", "show", name});
        questions.push_back({"script", "play", "--dry-run", name});
      }
    made.documents.push_back(std::move(found));
  }
  told.end();
  return made;
}

}  // namespace morph::offline
