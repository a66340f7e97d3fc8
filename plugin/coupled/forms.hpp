// Coupled branches as a table for a person and as JSON for a script.
#pragma once

#include <string>
#include <vector>

#include "plugin/coupled/pairs.hpp"
#include "plugin/coupled/subject.hpp"

namespace morph::coupled {

/// "person.cpp:4 car_.fuel() < 100 is false -> car.cpp:4 fuel_ > 150 is true"
std::string name_of(const source_branches& of, const coupling::coupled_pair& pair);

std::string list_as_text(const subject& of, const std::vector<unit_pair>& pairs);
/// Schema morph.coupled-coverage/1.
std::string list_as_json(const subject& of, const std::vector<unit_pair>& pairs);

/// One pair of classes or files, with its pairs of branches.
std::string pair_as_text(const subject& of, const unit_pair& pair, const std::vector<judged_pair>& branches);
std::string pair_as_json(const subject& of, const unit_pair& pair, const std::vector<judged_pair>& branches);

}  // namespace morph::coupled
