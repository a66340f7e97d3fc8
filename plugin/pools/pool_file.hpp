// What is asked of the file of a pool without its spec.
#pragma once

#include <set>
#include <string>

namespace morph::pools {

/// Of all its cases. Empty if there is no such file.
std::set<std::string> ids_in_pool(const std::string& file);

/// The name of the spec in the first line; empty if there is none.
std::string spec_of_pool(const std::string& file);

}  // namespace morph::pools
