// The writer, and the reader with its checks.
#include "plugin/report/mutation_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "plugin/contract/formats.hpp"
#include "plugin/report/mutation_parts.hpp"
#include "plugin/report/mutation_tests.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::report {
namespace {

using nlohmann::json;

constexpr const char* latin_1 = "latin-1";

/// Each byte becomes the character of its number.
std::string from_latin_1(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      text += c;
    } else {
      text += static_cast<char>(0xc0 | byte >> 6);
      text += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return text;
}

/// Nothing if a character is none of Latin-1's.
std::optional<std::string> to_latin_1(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) {
      bytes += text[i];
    } else {
      if ((byte != 0xc2 && byte != 0xc3) || i + 1 == text.size()) return std::nullopt;
      bytes += static_cast<char>((byte & 3) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3f));
    }
  }
  return bytes;
}

json as_json(const mutated_source& file, const mutant_result& m) {
  return {{"file", file.path},
          {"line", m.from.line},
          {"column", m.from.column},
          {"end_line", m.to.line},
          {"end_column", m.to.column},
          {"begin", m.begin},
          {"end", m.end},
          {"kind", name_of(m.kind)},
          {"operator", m.op},
          {"original", original_of(file, m)},
          {"replacement", m.replacement},
          {"node", m.node},
          {"function_node", m.function_node},
          {"alternative", m.alternative},
          {"state", name_of(m.state)},
          {"test", m.killers.empty() ? std::string() : m.killers.front()},
          {"killers", m.killers},
          {"covering", m.covering},
          {"infected", m.infected},
          {"unobserved", m.unobserved},
          {"ran", m.ran},
          {"cpu_us", m.cpu_us},
          {"recalled", m.is_recalled},
          {"reason", m.reason}};
}

void add_tally(json& to, const std::string& name, const mutation_tally& tally) {
  to.update({{"name", name},
             {"mutants", tally.all()},
             {"covered", tally.covered()},
             {"killed", tally.killed()},
             {"score", or_null(tally.score())},
             {"score_of_covered", or_null(tally.score_of_covered())}});
}

json as_json(const std::map<std::string, mutation_tally>& tallies) {
  json rows = json::array();
  for (const auto& [name, tally] : tallies) add_tally(rows.emplace_back(json::object()), name, tally);
  return rows;
}

json as_json(const run_record& run) {
  json parts = json::array();
  for (const judged_part& part : run.parts)
    parts.push_back({{"shard", part.shard}, {"of", part.of}, {"ended", name_of(part.ended)}});
  return {{"digest", digest_of(run.facts)}, {"commit", run.commit}, {"parts", parts}, {"facts", run.facts}};
}

/// What a member is called that is another thing than expected.
struct wrong {
  std::string what;
};

template <class Enum>
Enum named(std::optional<Enum> found, const std::string& name, const char* what) {
  if (!found) throw wrong{fmt::format("'{}' is no {}", name, what)};
  return *found;
}

mutant_result mutant_of(const json& from, const mutated_source& file) {
  mutant_result m;
  from.at("begin").get_to(m.begin);
  from.at("end").get_to(m.end);
  if (m.begin > m.end || m.end > file.text.size())
    throw wrong{fmt::format("bytes {} to {} of '{}' are none: it has {}", m.begin, m.end, file.path, file.text.size())};
  const std::string kind = from.at("kind"), state = from.at("state");
  m.kind = named(mutant_kind_of(kind), kind, "kind of place");
  from.at("operator").get_to(m.op);
  from.at("replacement").get_to(m.replacement);
  from.at("node").get_to(m.node);
  from.at("function_node").get_to(m.function_node);
  from.at("alternative").get_to(m.alternative);
  m.state = named(mutant_state_of(state), state, "state of a mutant");
  from.at("killers").get_to(m.killers);
  from.at("covering").get_to(m.covering);
  from.at("infected").get_to(m.infected);
  m.unobserved = from.value("unobserved", m.unobserved);
  from.at("ran").get_to(m.ran);
  from.at("cpu_us").get_to(m.cpu_us);
  from.at("recalled").get_to(m.is_recalled);
  from.at("reason").get_to(m.reason);
  return m;
}

std::vector<mutated_source> files_of(const json& root) {
  std::vector<mutated_source> files;
  std::map<std::string, std::size_t> by_path;
  const auto file_of = [&](const json& row) -> mutated_source& {
    const std::string path = row.at("file");
    const auto found = by_path.find(path);
    if (found == by_path.end()) throw wrong{fmt::format("there is no source of '{}'", path)};
    return files[found->second];
  };
  for (const json& row : root.at("files")) {
    mutated_source file{row.at("path"), row.at("source")};
    if (row.contains("encoding")) {
      const std::string encoding = row.at("encoding");
      auto bytes = encoding == latin_1 ? to_latin_1(file.text) : std::nullopt;
      if (!bytes) throw wrong{fmt::format("the source of '{}' is not in {}", file.path, latin_1)};
      file.text = std::move(*bytes);
    }
    if (!by_path.emplace(file.path, files.size()).second) throw wrong{fmt::format("'{}' is there twice", file.path)};
    files.push_back(std::move(file));
  }
  for (const json& row : root.at("mutants")) {
    mutated_source& file = file_of(row);
    file.mutants.push_back(mutant_of(row, file));
  }
  for (const json& row : root.at("functions")) {
    function_result f{row.at("line"), row.at("name"), {}, row.at("begin"), row.at("end")};
    if (!row.at("tested").is_null()) {
      const std::string how = row.at("tested");
      f.how = named(tested_of(how), how, "way to be tested");
    }
    file_of(row).functions.push_back(std::move(f));
  }
  for (mutated_source& file : files) place_mutants(file);
  return files;
}

run_record record_of(const json& from) {
  run_record run{from.at("facts"), from.at("commit"), {}};
  for (const json& row : from.at("parts")) {
    const std::string ended = row.at("ended");
    run.parts.push_back({row.at("shard"), row.at("of"), named(run_end_of(ended), ended, "end of a run")});
    const judged_part& part = run.parts.back();
    if (part.shard == 0 || part.shard > part.of) throw wrong{fmt::format("{}/{} is no shard", part.shard, part.of)};
  }
  return run;
}

mutation_result result_of(const json& root) {
  mutation_result result;
  if (root.contains("run") && !root.at("run").is_null()) result.run = record_of(root.at("run"));
  result.files = files_of(root);
  for (const json& row : root.at("operators")) result.operators[row.at("name")] = row.at("summary");
  for (const json& row : root.at("by_test"))
    result.tests.push_back({row.at("name"), row.at("left_out"), row.at("suite"), row.value("program", ""),
                            row.value("own_name", ""), row.value("in_build", "")});
  root.at("left_out").get_to(result.left_out);
  result.compile_time_only = root.value("compile_time_only", result.compile_time_only);
  for (const json& row : root.at("rejected_units"))
    result.rejected_units.push_back({row.at("unit"), row.at("first"), row.at("errors")});
  for (const json& row : root.value("rejected_parts", json::array()))
    result.rejected_parts.push_back({row.at("file"), row.at("line"), row.at("what"), row.at("mutants"), row.at("why")});
  root.at("not_run").get_to(result.not_run);
  result.is_whole = root.value("every_program", root.at("whole").get<bool>());  // which "whole" alone said once
  root.at("every_killer").get_to(result.has_all_killers);
  root.at("units").get_to(result.units);
  root.at("units_read").get_to(result.units_read);
  root.at("candidates").get_to(result.candidates);
  root.at("not_compilable").get_to(result.not_compilable);
  root.at("rejected_by_compiler").get_to(result.rejected_by_compiler);
  root.at("seconds").get_to(result.seconds);
  result.sample_of = root.value("sample_of", std::size_t{0});
  result.scope = root.value("scope", std::vector<std::string>{});
  root.at("cpu_seconds").get_to(result.cpu_seconds);
  root.at("at").get_to(result.at);
  return result;
}

}  // namespace

nlohmann::json or_null(std::optional<double> share) {
  return share ? json(*share) : json(nullptr);
}

std::string mutation_as_json(const mutation_result& result) {
  const mutation_figures figures = figures_of(result);
  const std::vector<std::string> missing = missing_of(result);
  json files = json::array(), mutants = json::array(), functions = json::array(), rejected = json::array();
  for (const mutated_source& file : result.files) {
    const bool is_utf8 = as_utf8(file.text) == file.text;
    files.push_back({{"path", file.path}, {"source", is_utf8 ? file.text : from_latin_1(file.text)}});
    if (!is_utf8) files.back()["encoding"] = latin_1;
    for (const mutant_result& m : file.mutants) mutants.push_back(as_json(file, m));
    const std::vector<mutation_tally> tallies = tallies_of_functions(file);
    for (std::size_t i = 0; i < file.functions.size(); ++i) {
      const function_result& f = file.functions[i];
      functions.push_back({{"file", file.path},
                           {"line", f.line},
                           {"begin", f.begin},
                           {"end", f.end},
                           {"tested", f.how ? json(name_of(*f.how)) : json(nullptr)}});
      add_tally(functions.back(), f.name, tallies[i]);
    }
  }
  for (const unread_unit& unit : result.rejected_units)
    rejected.push_back({{"unit", unit.unit}, {"errors", unit.errors}, {"first", unit.first_error}});
  json rejected_parts = json::array();
  for (const rejected_part& part : result.rejected_parts)
    rejected_parts.push_back(
        {{"file", part.path}, {"line", part.line}, {"what", part.what}, {"mutants", part.mutants}, {"why", part.why}});
  json operators = json::array(), tests = json::array(), left_out_tests = json::array(), states = json::object(),
       suites = json::array(), unlike_build = json::array();
  for (const auto& [name, summary] : result.operators) operators.push_back({{"name", name}, {"summary", summary}});
  for (const kill_row& suite : kills_of_suites(result))
    suites.push_back({{"name", suite.name},
                      {"kills", suite.kills},
                      {"alone", suite.alone},
                      {"redundant", suite.is_redundant},
                      {"score", or_null(figures.all.share(suite.kills))}});
  const std::vector<kill_row> kills = kills_of_tests(result);
  auto next = kills.begin();
  for (const judging_test& test : result.tests) {
    tests.push_back({{"name", test.name},
                     {"suite", test.suite},
                     {"program", test.program},
                     {"own_name", test.own_name},
                     {"left_out", test.why_left_out},
                     {"in_build", test.in_build}});
    if (!test.in_build.empty()) unlike_build.push_back({{"name", test.name}, {"in_build", test.in_build}});
    const kill_row row = test.why_left_out.empty() ? *next++ : kill_row{};
    tests.back().update({{"kills", row.kills}, {"alone", row.alone}, {"redundant", row.is_redundant}});
    if (!test.why_left_out.empty()) left_out_tests.push_back({{"name", test.name}, {"why", test.why_left_out}});
  }
  for (std::size_t i = 0; i < mutant_states; ++i) {
    const auto state = static_cast<mutant_state>(i);
    states[std::string(name_of(state))] = figures.all.of(state);
  }
  json root{{"schema", contract::mutation_schema},
            {"at", result.at},
            {"whole", missing.empty()},
            {"missing", missing},
            {"every_program", result.is_whole},
            {"run", result.run ? as_json(*result.run) : json(nullptr)},
            {"every_killer", result.has_all_killers},
            {"scope", result.scope},
            {"score", or_null(figures.all.score())},
            {"score_of_covered", or_null(figures.all.score_of_covered())},
            {"killed", figures.all.killed()},
            {"covered", figures.all.covered()},
            {"states", states},
            {"recalled", figures.recalled},
            {"files", files},
            {"mutants", mutants},
            {"functions", functions},
            {"operators", operators},
            {"candidates", result.candidates},
            {"not_compilable", result.not_compilable},
            {"rejected_by_compiler", result.rejected_by_compiler},
            {"left_out", result.left_out},
            {"compile_time_only", result.compile_time_only},
            {"rejected_units", rejected},
            {"rejected_parts", rejected_parts},
            {"units", result.units},
            {"units_read", result.units_read},
            {"tests", result.tests.size()},
            {"by_file", as_json(figures.by_file)},
            {"by_operator", as_json(figures.by_operator)},
            {"by_suite", suites},
            {"by_test", tests},
            {"left_out_tests", left_out_tests},
            {"unlike_build", unlike_build},
            {"not_run", result.not_run},
            {"seconds", result.seconds},
            {"cpu_seconds", result.cpu_seconds}};
  if (result.sample_of > 0) {
    const score_interval interval = interval_of(figures.all);
    root["sample_of"] = result.sample_of;
    root["score_interval"] = {interval.low, interval.high};
  }
  return json_text(root) + '\n';
}

tl::expected<mutation_result, std::string> read_mutation(std::string_view text) {
  try {
    const json root = json::parse(text);
    const std::string schema = root.at("schema");
    if (schema != contract::mutation_schema)
      return tl::unexpected(fmt::format("its schema is '{}' and not '{}'", schema, contract::mutation_schema));
    return result_of(root);
  } catch (const wrong& error) {
    return tl::unexpected(error.what);
  } catch (const json::exception& error) {
    const std::string_view what = error.what();  // "[json.exception.out_of_range.403] key 'files' not found"
    return tl::unexpected(std::string(what.substr(std::min(what.find("] ") + 2, what.size()))));
  }
}

}  // namespace morph::report
