// What activities share: what was asked, a spec with its pool, and which of the cases are meant.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "plugin/spec/engine/arguments.hpp"
#include "plugin/spec/engine/engine.hpp"
#include "plugin/spec/engine/pool_file.hpp"
#include "plugin/spec/engine/specs.hpp"

namespace morph::engine {

struct asked {
  std::string spec, pool, out, sort, format = "text", tree, executer, ids_file, label, input;
  std::vector<std::string> seeds, datamorphisms, relations, by, ids;
  options how;
  std::uint64_t rows = 50;
  bool json = false, quiet = false, remove = false, descending = false, isolate = false, help = false, run_too = false,
       append = false, any_spec = false, is_new = false;
};

/// A spec with its pool.
struct opened {
  const made_spec* of;
  session cases;
  verdict_table verdicts;

  opened(const made_spec& from, const options& how) : of(&from), cases(*from.spec, how) {
    cases.on_verdict([this](case_index which, std::uint16_t executer, std::size_t check, verdict found) {
      verdicts.set(which, executer, check, found);
    });
  }
};

/// "1 case", "2 cases".
std::string counted(std::size_t number, const std::string& what);

/// Of what was done, unless --quiet.
template <typename... Values>
void tell(const asked& what, const char* format, const Values&... values) {
  if (!what.quiet) std::printf(format, values...);
}

/// Into the pool, or where `--out` says; of the cases only those, if some are given. The exit status.
int save(opened& at, const asked& what, const std::vector<case_index>* only = nullptr);

/// The one of `--executer`, else the first.
std::uint16_t executer_of(const opened& at, const asked& what, std::string& error);

/// The cases for which all filters of `--by` are true, the spec's and the built-in ones, and that `--id` names.
std::string chosen_cases(opened& at, const asked& what, std::uint16_t executer, std::vector<case_index>& to);

/// An error for the first name that is none of the known ones.
template <typename Named>
std::string check_names(const std::vector<std::string>& asked_for, const std::vector<Named>& known,
                        const std::string& kind) {
  for (const std::string& name : asked_for) {
    std::vector<std::string> names;
    for (const Named& each : known) names.push_back(each.name);
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string alike = most_alike(name, names);
    return "the spec has no " + kind + " '" + name + "'" + (alike.empty() ? "" : "; did you mean '" + alike + "'?");
  }
  return {};
}

// ---- activities that only look at a pool, or take cases away

int measure(opened& at, const asked& what);
int filter(opened& at, const asked& what);
int analyse(opened& at, const asked& what);
int show(opened& at, const asked& what);

/// Answers what stands on the standard input, a question a line, until it ends.
int serve(opened& at, const asked& what);

}  // namespace morph::engine
