// What activities share.
#include "plugin/spec/engine/activity.hpp"

#include <fstream>
#include <set>

namespace morph::engine {

std::string counted(std::size_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

int save(opened& at, const asked& what, const std::vector<case_index>* only) {
  at.cases.done();
  const std::string error = save_pool(at.cases, at.verdicts, what.out.empty() ? what.pool : what.out, only);
  return error.empty() ? static_cast<int>(fine) : complain(environment, error);
}

std::uint16_t executer_of(const opened& at, const asked& what, std::string& error) {
  const auto& all = at.of->spec->executers();
  if (what.executer.empty()) return 0;
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& e) { return e.name == what.executer; });
  if (found == all.end()) error = "the spec has no executer '" + what.executer + "'";
  return static_cast<std::uint16_t>(found - all.begin());
}

std::string chosen_cases(opened& at, const asked& what, std::uint16_t executer, std::vector<case_index>& to) {
  spec_base& spec = *at.of->spec;
  std::vector<bool> stays(at.cases.cases().size(), true);
  for (const std::string& name : what.by) {
    const auto position = [&](const auto& all) {
      return static_cast<std::size_t>(
          std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; }) - all.begin());
    };
    const std::size_t filter = position(spec.case_filters());
    const std::size_t set_filter = position(spec.set_filters());
    const bool built_in = name == "seeds" || name == "mutants" || name == "failed" || name == "distinct";
    if (filter < spec.case_filters().size()) {
      for (case_index c = 0; c < stays.size(); ++c)
        stays[c] = stays[c] && spec.case_filter(filter, executer, at.cases.cases(), c);
    } else if (set_filter < spec.set_filters().size()) {
      std::vector<bool> kept(stays.size(), false);
      for (const case_index c : spec.set_filter(set_filter, executer, at.cases.cases()))
        if (c < kept.size()) kept[c] = true;
      for (std::size_t c = 0; c < stays.size(); ++c) stays[c] = stays[c] && kept[c];
    } else if (built_in) {
      std::set<input_index> seen;
      for (case_index c = 0; c < stays.size(); ++c) {
        const bool is_seed = at.cases.cases().order(c) == 0;
        bool good = name == "seeds" ? is_seed : name == "mutants" ? !is_seed : false;
        if (name == "distinct") good = seen.insert(at.cases.cases().input(c)).second;
        if (name == "failed")
          for (const auto& [check, found] : at.verdicts.of(c, executer)) good = good || found == verdict::fail;
        stays[c] = stays[c] && good;
      }
    } else {
      return "the spec has no filter '" + name + "'; built in are seeds, mutants, failed, distinct";
    }
  }
  std::vector<std::string> ids = what.ids;
  if (!what.ids_file.empty()) {
    std::ifstream file(what.ids_file);
    if (!file) return "'" + what.ids_file + "' cannot be read";
    for (std::string line; std::getline(file, line);)
      if (!line.empty()) ids.push_back(line);
  }
  std::vector<bool> named(stays.size(), ids.empty() && what.ids_file.empty());
  for (const std::string& id : ids) {
    std::uint64_t number = 0;
    const case_index found = read_id(id, number) ? at.cases.cases().find(number) : nowhere;
    if (found == nowhere) return "the pool has no case '" + id + "'";
    named[found] = true;
  }
  for (case_index c = 0; c < stays.size(); ++c)
    if (stays[c] && named[c]) to.push_back(c);
  return {};
}

}  // namespace morph::engine
