// Relations for people and for other programs: text, Markdown, JSON.
#pragma once

#include <string>

#include "plugin/scout/find.hpp"

namespace morph::scout {

/// With literal echoes, or without.
std::string as_text(const found& of, bool with_echoes, bool has_colour);

/// For a comment on a pull request.
std::string as_markdown(const found& of, bool with_echoes);

/// Schema morph.scout/1; one line. Echoes are marked as such.
std::string as_json(const found& of);

}  // namespace morph::scout
