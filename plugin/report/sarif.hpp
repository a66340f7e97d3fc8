// Parts of SARIF 2.1.0, the form in which findings go to code hosts and editors.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace morph::report {

/// A relative reference: whatever might mean something else in a URI is a percent sign and its number.
std::string as_uri(std::string_view path);

nlohmann::json sarif_rule(const std::string& id, const std::string& summary, const std::string& help);

/// `path` counts from the top of the repository.
nlohmann::json sarif_artifact(const std::string& path);

/// A finding at a region of a file. `level`: note, warning, error.
nlohmann::json sarif_result(const std::string& rule, const char* level, const std::string& message,
                            const std::string& path, nlohmann::json region);

/// A whole document of one run. Columns are UTF-16 code units.
std::string sarif_log(nlohmann::json rules, nlohmann::json results, const std::string& version);

}  // namespace morph::report
