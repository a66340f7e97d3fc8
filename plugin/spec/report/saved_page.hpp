// A page of one result: what a command of a spec prints with --json, as a screen shows it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace morph::engine {

/// `screen`: of templates/studio. `arguments`: of `morph`, as a user types them.
std::string result_page(std::string_view screen, const std::vector<std::string>& arguments, std::string_view json);

/// Whether a report into this file is to be such a page.
bool is_page(std::string_view file);

}  // namespace morph::engine
