// Analyses as CSV, one number or text a row, so that those of several executers and specs stand in one file.
#pragma once

#include <string>
#include <vector>

#include "morph/declared.hpp"

namespace morph::engine {

inline constexpr const char* analysis_csv_head = "label,spec,executer,analysis,row,column,value\n";

/// Without the head. `row` is the first cell of a table's row, which names it; of a text it is empty, and `column` is
/// "text". Fields are quoted as RFC 4180 says.
std::string as_csv(const std::string& label, const std::string& spec, const std::string& executer,
                   const std::vector<analysis>& all);

/// Adds the rows to the file, the head first if it is new or empty. An error, or nothing: a file with another head is
/// left as it is.
std::string append_csv(const std::string& file, const std::string& rows);

}  // namespace morph::engine
