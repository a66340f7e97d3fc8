// Folders for the temporary files of tests that run with mutants.
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace morph::mutation {

/// Whatever rights its folders have.
void remove_folder(const std::filesystem::path& folder);

/// Makes it if it is not there. Of what is in it these names stay. Costs a look if there is nothing else.
void empty_folder(const std::filesystem::path& folder, const std::set<std::string>& but = {});

std::set<std::string> names_in(const std::filesystem::path& folder);

}  // namespace morph::mutation
