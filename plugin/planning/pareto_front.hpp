// morph plan --pareto: time against coverage, as a table, as JSON, as a picture.
#pragma once

#include <string>

#include "plugin/planning/planning.hpp"

namespace morph::planning {

std::string front_as_text(const full_plan& p);

/// Schema morph.front/1.
std::string front_as_json(const full_plan& p);

/// An SVG document.
std::string front_as_svg(const full_plan& p);

/// A page of studio's screen Optimizer, with that JSON.
std::string front_as_html(const full_plan& p);

}  // namespace morph::planning
