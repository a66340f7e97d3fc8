// Compares two measurements of a store, test by test: rows STORE ID ID [functions | probes]. What a program does before
// its first test counts as executed by each of its tests. With `functions` only those count that the first one knows,
// and that stand in a source: one measurement has lines, the other one does not. With `probes` functions of
// sources and objects count alone, with their sources.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "coverage/probe/table.hpp"
#include "plugin/store/store.hpp"

namespace {

using namespace morph::store;
using morph::optimizer::requirement_kind;

/// Suite, program and case -> names of what it executed.
using rows = std::map<std::string, std::set<std::string>>;

std::string name_of_function(const std::string& symbol) {
  return "function " + std::string(morph::probe::function_of(symbol));
}

/// Programs have functions of one name: `with_source` tells them apart.
std::string name_of(const evidence& e, element x, bool with_source) {
  switch (kind_of(x)) {
    case requirement_kind::function: {
      const measured_function& f = e.functions[number_of(x)];
      return name_of_function(f.symbol) + (with_source ? " of " + e.files[f.file] : "");
    }
    case requirement_kind::unit:
      return "unit " + e.units[number_of(x)].object;
    case requirement_kind::input: {
      const measured_input& input = e.inputs[number_of(x)];
      return fmt::format("input {} {}", static_cast<int>(input.what), input.name);
    }
    default:
      return fmt::format("{} {}:{}", static_cast<int>(kind_of(x)), e.files[owner_of(x)], number_of(x));
  }
}

/// Those of e, with their names.
std::set<std::string> functions_of(const evidence& e) {
  std::set<std::string> names;
  for (const measured_function& f : e.functions)
    if (!f.artificial) names.insert(name_of_function(f.symbol));
  return names;
}

/// A function that stands in a source, or an object that was loaded.
bool is_of_probes(const evidence& e, element x) {
  if (kind_of(x) != requirement_kind::function) return kind_of(x) == requirement_kind::unit;
  return e.files[e.functions[number_of(x)].file] != "CMakeLists.txt";
}

/// Without what is not in `wanted`; empty: all counts.
rows read_rows(const evidence& e, const std::set<std::string>& wanted, bool with_all) {
  std::map<std::uint32_t, std::set<std::string>> executed, at_start;  // by test, by program
  for (const element_class& c : e.classes)
    for (const std::uint32_t test : c.tests)
      for (const element x : c.elements) {
        if (!with_all && !is_of_probes(e, x)) continue;
        auto& names = e.tests[test].is_startup() ? at_start[e.tests[test].program] : executed[test];
        std::string name = name_of(e, x, wanted.empty());
        if (wanted.empty() || wanted.contains(name)) names.insert(std::move(name));
      }
  rows result;
  for (std::uint32_t t = 0; t < e.tests.size(); ++t) {
    if (e.tests[t].is_startup()) continue;
    const measured_program& program = e.programs[e.tests[t].program];
    auto& names = result[program.suite + ' ' + program.target + ' ' + e.tests[t].case_name];
    names = executed[t];
    names.insert(at_start[e.tests[t].program].begin(), at_start[e.tests[t].program].end());
  }
  return result;
}

/// How many there are, and the first.
std::size_t without(const std::set<std::string>& all, const std::set<std::string>& less, const std::string& test,
                    const char* which) {
  std::size_t missing = 0;
  for (const std::string& name : all)
    if (less.count(name) == 0 && missing++ == 0) fmt::print("{}: {} only has {}\n", test, which, name);
  return missing;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view how = argc == 5 ? argv[4] : "";
  const bool functions_alone = how == "functions", with_all = how != "probes";
  if (argc != 4 && !functions_alone && with_all)
    return fmt::print(stderr, "usage: rows STORE ID ID [functions | probes]\n"), 2;
  auto store = evidence_store::open_for_reading(argv[1]);
  if (!store || !*store) return fmt::print(stderr, "{}\n", store ? "there is no store" : store.error()), 3;
  const auto first = (*store)->load(std::atoi(argv[2])), second = (*store)->load(std::atoi(argv[3]));
  if (!first || !second) return fmt::print(stderr, "{}\n", first ? second.error() : first.error()), 3;
  const std::set<std::string> wanted = functions_alone ? functions_of(*first) : std::set<std::string>();
  const rows a = read_rows(*first, wanted, with_all), b = read_rows(*second, wanted, with_all);
  std::size_t pairs = 0, only_first = 0, only_second = 0, differing = 0;
  for (const auto& [test, names] : a) {
    const auto at = b.find(test);
    const std::set<std::string> none;
    const auto& others = at == b.end() ? none : at->second;
    const std::size_t lost = without(names, others, test, "the first"),
                      won = without(others, names, test, "the second");
    pairs += names.size();
    only_first += lost;
    only_second += won;
    differing += lost + won > 0 ? 1 : 0;
  }
  fmt::print("tests {} pairs {} only_first {} only_second {} differing {}\n", a.size(), pairs, only_first, only_second,
             differing + (b.size() > a.size() ? b.size() - a.size() : 0));
  return only_first + only_second == 0 && a.size() == b.size() ? 0 : 1;
}
