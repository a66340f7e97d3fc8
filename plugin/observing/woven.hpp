// The sources of the mutation twin with points in them: read, numbered, checked, built.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "coverage/mutation/overlay.hpp"
#include "coverage/observation/points.hpp"
#include "plugin/mutating/prepare.hpp"
#include "plugin/mutating/result.hpp"
#include "plugin/mutating/setting.hpp"
#include "plugin/observing/chosen.hpp"
#include "plugin/system/result.hpp"

namespace morph::observing {

struct woven_file {
  mutation::mutated_file original;  // without places where it has no mutants
  std::vector<observation::point> points;
  std::vector<std::uint32_t> numbers;  // of the points
  std::vector<observation::row> rows;  // at the end, if it is a unit's
  bool is_unit = false;
};

struct woven_text {
  std::string text;                 // as it is compiled
  std::uint32_t prefix = 0;         // bytes in front of `rewritten`
  observation::woven_source woven;  // with rows
  std::vector<observation::woven_span> rows;
  mutation::rewritten_source rewritten;
};

struct numbered_point {
  std::string file{};  // from the root of the project
  observation::point what{};
};

/// What the twin observes. Points are numbered from 1, in all programs alike; 0 is what specs give.
struct woven_twin {
  std::map<std::string, woven_file> files;  // by path from the root
  std::vector<numbered_point> points{{.file = {}, .what = {.text = "output"}}};
  std::map<std::pair<std::string, std::uint32_t>, std::uint32_t>
      calls;  // file and end of a function: its point; 0: none
  std::map<std::pair<std::string, std::uint32_t>, std::string>
      not_read;  // file and begin of a function: why it has none
};

/// `tests`: files from the root of the project whose test bodies are observed.
result<woven_twin> weave(const mutating::setting& run, const mutating::prepared_twin& twin,
                         const mutating::mutated_sources& sources, const std::vector<chosen_mutant>& mutants,
                         const std::set<std::string>& tests);

/// Writes and builds it. What a compiler rejects is not observed.
result<void> build_woven(const mutating::setting& run, const mutating::prepared_twin& twin,
                         const mutating::mutated_sources& sources, woven_twin& woven);

}  // namespace morph::observing
