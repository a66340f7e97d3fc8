// Words of a command that others read: options among them.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace morph::pools {

/// The value of the last `--name VALUE` or `--name=VALUE`; empty if there is none.
std::string value_of(const std::vector<std::string>& words, const std::string& name);

/// The words without these options and their values, which go where the map says. Without a value an option is left
/// out.
std::vector<std::string> take_options(const std::vector<std::string>& words,
                                      const std::map<std::string, std::string*>& options);

}  // namespace morph::pools
