// What became of relations that were tried as specs, for people and for other programs.
#pragma once

#include <string>
#include <vector>

#include "plugin/scout/trial.hpp"

namespace morph::scout {

/// A line for each relation: those that are kept, then those with counterexamples, then the rest with the reason.
std::string as_text(const std::vector<tried_source>& of, const found& in, bool has_colour);

/// For a comment on a pull request.
std::string as_markdown(const std::vector<tried_source>& of, const found& in);

/// Schema morph.scout-specs/1; one line.
std::string as_json(const std::vector<tried_source>& of, const found& in);

}  // namespace morph::scout
