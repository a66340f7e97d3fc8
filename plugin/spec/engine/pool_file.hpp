// Saved pools: JSON lines, a case a line, so that they can be compared, merged and edited.
//
//   {"morph":"pool","version":1,"spec":"triangle"}
//   {"id":"9f3c...","by":"literal","in":[5,5,5],"expected":0,"runs":[{"executer":"heron","out":0}]}
//   {"id":"71aa...","by":"swapXY","from":["9f3c..."],"in":[5,5,5],"runs":[{"executer":"heron","how":"crash","error":
//    "signal 11","verdicts":{"the order of the sides is irrelevant":"pass"}}]}
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "plugin/spec/engine/engine.hpp"

namespace morph::engine {

inline constexpr int pool_version = 1;

/// What relations said of cases, by executer and case: check and verdict.
class verdict_table {
 public:
  void set(case_index which, std::uint16_t executer, std::size_t check, verdict found);
  const std::vector<std::pair<std::size_t, verdict>>& of(case_index which, std::uint16_t executer) const;
  void clear() { all_.clear(); }

 private:
  std::map<std::pair<case_index, std::uint16_t>, std::vector<std::pair<std::size_t, verdict>>> all_;
};

struct loaded_pool {
  std::string error;                  // nothing was loaded then; `file:line: what, and what to do`
  std::vector<std::string> warnings;  // what was dropped, and why
};

/// Fills the session, which is empty. A line whose id is not that of its case was edited: its runs and verdicts are
/// dropped, and what names it by the old id still finds it. `of_any_spec`: the pool may be one of another spec, as far
/// as this one declares what made its cases. `as_written`: an edited line is an error, as is a case that nothing of the
/// spec has made: what is known of the cases by their ids would be of others.
loaded_pool load_pool(session& to, verdict_table& verdicts, const std::string& file, bool of_any_spec = false,
                      bool as_written = false);

/// The spec that the head of the file names; empty if it names none.
std::string spec_of_pool(const std::string& file, std::string& spec);

/// The cases (all, or these and what they were derived from), written beside the file and moved over it. An error, or
/// nothing.
std::string save_pool(session& from, const verdict_table& verdicts, const std::string& file,
                      const std::vector<case_index>* only = nullptr);

std::string pool_line(session& from, const verdict_table& verdicts, case_index which);

const char* verdict_name(verdict v);
const char* ended_name(ended how);

}  // namespace morph::engine
