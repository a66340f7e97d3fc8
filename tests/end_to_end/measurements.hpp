// What a store says of the present commit, as text: two measurements of it can be compared.
#pragma once

#include <sstream>

#include "project.hpp"

namespace morph::end_to_end {

/// The lines of `morph store export` for HEAD's tree, without times.
inline std::string facts_of_head(const project& p) {
  const finished end = p.morph({"store", "export", "--without-times"});
  if (end.exit != 0) throw std::runtime_error(end.both());
  const std::string tree = p.git({"rev-parse", "HEAD^{tree}"});
  std::istringstream lines(end.out);
  std::string facts;
  bool is_head = false;
  for (std::string line; std::getline(lines, line);) {
    const auto object = nlohmann::json::parse(line);
    if (object.contains("measurement")) is_head = object["measurement"]["tree"] == tree;
    if (is_head) facts += line + '\n';
  }
  return facts;
}

/// Of a measurement that carries nothing over. Leaves the store as it is.
inline std::string facts_of_full_measurement(const project& p) {
  const std::string kept = read_bytes(p.store());
  std::filesystem::remove(p.store());
  const finished end = p.try_measure({"--fresh"});
  if (end.exit != 0) throw std::runtime_error(end.both());
  const std::string facts = facts_of_head(p);
  write_bytes(p.store(), kept);
  return facts;
}

}  // namespace morph::end_to_end
