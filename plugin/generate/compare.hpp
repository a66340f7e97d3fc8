// All searches for the coupled branches of two classes, one after the other, on one program: which ones each of them
// takes.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "plugin/generate/inputs.hpp"
#include "plugin/generate/program.hpp"
#include "plugin/generate/search.hpp"
#include "plugin/generate/subject.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::generate {

/// What a search looks for, and how.
struct compared_way {
  const char* name;
  enum class looks_for : std::uint8_t { pairs, branches, both } what;
  search_options::algorithm by;
};

/// "branches" is a unit search of the caller: it does not know of pairs, and of its calls none is preferred. Of
/// "random" none is preferred, either.
inline constexpr compared_way compared_ways[] = {
    {"pairs", compared_way::looks_for::pairs, search_options::algorithm::dyna_mosa},
    {"both", compared_way::looks_for::both, search_options::algorithm::dyna_mosa},
    {"branches", compared_way::looks_for::branches, search_options::algorithm::dyna_mosa},
    {"mosa", compared_way::looks_for::pairs, search_options::algorithm::mosa},
    {"whole-suite", compared_way::looks_for::pairs, search_options::algorithm::whole_suite},
    {"novelty", compared_way::looks_for::pairs, search_options::algorithm::novelty},
    {"random", compared_way::looks_for::pairs, search_options::algorithm::random}};

/// A row for each way.
struct compared_search {
  std::string name{};
  std::set<std::size_t> covered{};   // pairs that its tests take: of a unit search those that are kept for branches
  std::set<std::size_t> selected{};  // the same before its tests are shortened
  std::set<std::size_t> executed{};  // pairs that any sequence took
  std::size_t branches = 0;          // of the caller that it took
  std::size_t tests = 0;
  std::uint64_t sequences = 0;
  double cpu_seconds = 0;  // of the search: its own, and of the sequences
  std::vector<search_row> rows{};
};

struct comparison {
  std::size_t pairs = 0, branches = 0;  // there are: coupled, and of the caller
  std::uint64_t unseen_pairs = 0;       // more, with a branch that cannot report
  std::vector<compared_search> searches{};
};

struct comparison_request {
  std::vector<std::string> ways{};   // names of compared_ways
  double cpu_seconds = 0;            // of each search; 0: no limit
  std::uint64_t most_sequences = 0;  // likewise
  std::uint64_t seed = 1;
};

/// Each begins with copies of `offered`, `literals` and `known`.
result<comparison> compare_searches(const subject& of, const call_program& program, const api& offered,
                                    const literal_table& literals, const known_inputs& known,
                                    const comparison_request& asked, system::observer& told);

std::string as_text(const comparison& of, const class_pair& pair);

}  // namespace morph::generate
