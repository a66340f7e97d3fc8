// Mutation results from files, and in the form that is asked for by name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plugin/report/mutation.hpp"
#include "plugin/report/mutation_forms.hpp"
#include "plugin/system/result.hpp"

namespace morph::report {

result<mutation_result> result_in(const std::filesystem::path& path);

/// Of one or more files: results on the same sources, as one.
result<mutation_result> united_result(const std::vector<std::string>& files);

/// From the top of the repository to the project's sources, as services name files: empty, or with a slash at the end.
std::string root_in_repository(const std::filesystem::path& source_dir);

/// `format`: json, csv, junit, github, sarif, mte, html or kills; text, else. `source_dir`: the root of the project.
/// `explained`: what the page shows beside survivors.
std::string mutation_as_form(const mutation_result& result, const std::string& format,
                             const std::filesystem::path& source_dir, const text_form& text,
                             const explanations& explained);

}  // namespace morph::report
