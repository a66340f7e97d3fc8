// docs/reference.md, made from the tables in the code.
#pragma once

#include <string>
#include <vector>

#include "plugin/reference/commands.hpp"

namespace morph::reference {

/// Exit codes, reasons, rules, marks, operators, variables, formats, ignored files.
std::string tables_as_markdown();

/// The whole page.
std::string as_markdown(const std::vector<described_option>& of_all, const std::vector<described_command>& commands);

}  // namespace morph::reference
