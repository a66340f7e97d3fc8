// Makes coverage and the mutation score of a pool from rows and kills.
#include "plugin/pools/measures.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "plugin/coupled/pairs.hpp"
#include "plugin/coupled/sources.hpp"
#include "plugin/report/summary.hpp"
#include "plugin/system/counted.hpp"

namespace morph::pools {
namespace {

using nlohmann::json;

double part(const report::tally& t) {
  return t.total == 0 ? 0.0 : static_cast<double>(t.hit) / static_cast<double>(t.total);
}

std::array<std::pair<const char*, report::tally>, 3> coverage_of(const pool_measures& m) {
  return {{{"line coverage", m.covered.lines},
           {"branch coverage", m.covered.branches},
           {"function coverage", m.covered.functions}}};
}

report::coupled_figure coupled_of(const build::build_tree& tree, const suite_rows& rows, system::observer& told) {
  if (!rows.missing.empty()) return {{}, rows.missing};
  if (std::string why = coupled::why_no_branches(rows.from->facts); !why.empty()) return {{}, std::move(why)};
  const auto sources = coupled::read_sources(tree, rows.root, coupled::any_number, told);
  if (!sources) return {{}, sources.error()};
  const auto evidence = coupled::evidence_of(*sources, rows.all, rows.from->facts, rows.from->changes);
  const auto pairs =
      coupled::distinct_pairs(sources->graph, [&](const std::string& path) { return rows.all.find(path) != nullptr; });
  std::vector<std::uint32_t> tests = rows.of_suite;
  if (!rows.of_cases.empty()) {
    tests.clear();
    for (const auto& [id, test] : rows.of_cases) tests.push_back(test);
  }
  return {coupled::tally_of(pairs, evidence, tests), {}};
}

/// Who covers.
std::string by_text(const pool_measures& m) {
  if (m.cases > 0) return fmt::format("{} measured cases of the pool", m.cases);
  return m.tests == 1 ? std::string("the test of the suite") : fmt::format("all {} tests of the suite", m.tests);
}

}  // namespace

pool_measures measures_of(const build::build_tree& tree, const build::suite& suite, const std::set<std::string>& ids,
                          system::observer& told) {
  const suite_rows found = rows_of(tree, suite, ids);
  return {tally_of(found), found.of_cases.size(),         found.of_suite.size(),
          found.missing,   coupled_of(tree, found, told), kills_of(tree, suite, ids)};
}

std::string add_to_json(const std::string& metrics, const pool_measures& m) {
  json all = json::parse(metrics, nullptr, false);
  if (m.no_coverage.empty()) {
    for (const auto& [name, tally] : coverage_of(m)) all[name] = part(tally);
    all["coverage of"] = m.cases == 0 ? "suite" : "cases";
  }
  if (const report::pair_tally& pairs = m.coupled.pairs; !pairs.is_empty()) {
    all["coupled branches"] = pairs.known() > 0 ? json(part({pairs.covered, pairs.known()})) : json(nullptr);
    all["coupled branches not mapped"] = pairs.unknown;
    all["coupled branches changed"] = pairs.changed;
  }
  if (m.kills.missing.empty()) {
    const auto score = m.kills.of.share(m.kills.killed);
    all["mutation score"] = score ? json(*score) : json(nullptr);
    all["mutation score of"] = m.kills.of_cases ? "cases" : "suite";
    all["mutation score is a lower bound"] = !m.kills.is_all;
  }
  return all.dump();
}

std::string as_text(const pool_measures& m) {
  std::string text;
  if (m.no_coverage.empty())
    for (const auto& [name, tally] : coverage_of(m))
      text += fmt::format("{:>12.6g}  {} ({} of {}, by {})\n", part(tally), name, tally.hit, tally.total, by_text(m));
  if (const report::pair_tally& pairs = m.coupled.pairs; !pairs.is_empty())
    text += fmt::format("{:>12}  coupled branches ({} of {}{}, by {})\n",
                        pairs.known() > 0 ? fmt::format("{:.6g}", part({pairs.covered, pairs.known()})) : "none",
                        pairs.covered, pairs.known(), report::others_as_text(pairs), by_text(m));
  if (!m.kills.missing.empty()) return text;
  const auto score = m.kills.of.share(m.kills.killed);
  return text + fmt::format("{:>12}  mutation score ({} killed{}, by {})\n",
                            score ? fmt::format("{:.6g}", *score) : "none", system::counted(m.kills.killed, "mutant"),
                            m.kills.is_all ? "" : " first, at least: `morph mutate --all-killers` finds all",
                            m.kills.of_cases ? "the pool's cases" : "the tests of the suite");
}

}  // namespace morph::pools
