// morph plan --front: time against coverage, as a table, as JSON, as a picture.
#pragma once

#include <string>

#include "plugin/command/workspace.hpp"

namespace morph::command {

std::string front_as_text(const planning& p);

/// Schema morph.front/1.
std::string front_as_json(const planning& p);

/// An SVG document.
std::string front_as_svg(const planning& p);

/// A page with the picture and the table.
std::string front_as_html(const planning& p);

}  // namespace morph::command
