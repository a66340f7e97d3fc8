// Activities on saved pools: the buttons of Morphy as commands.
#pragma once

#include <string>
#include <vector>

namespace morph::engine {

/// Whether the word is one: `list`, `seed`, `mutate`, `execute`, `check`, `measure`, `filter`, `edit`, `analyse`,
/// `show`.
bool is_activity(const std::string& word);
/// The exit status of the activity `arguments[0]`.
int run_activity(const std::vector<std::string>& arguments, const char* program);
std::string activities_help();

}  // namespace morph::engine
