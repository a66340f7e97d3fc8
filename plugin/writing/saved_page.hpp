// The page that commands write: studio's modules with data in place of a server (templates/studio/saved.js).
#pragma once

#include <string>
#include <string_view>

namespace morph::writing {

/// JSON in an element of a script: nothing in it can end that.
std::string in_script(std::string_view json);

/// `json` is of the schema morph.saved/1.
std::string saved_page(std::string_view json);

}  // namespace morph::writing
