// Names of C++ with their namespaces: the nearest one, and what to say of a class that is not there.
#pragma once

#include <string>
#include <vector>

namespace morph::source_reader {

/// Of "a::b": "b".
std::string last_of(const std::string& name);

/// The name that is least far away, whole or by its last part; empty if none is near.
std::string alike(const std::string& wanted, const std::vector<std::string>& names);

/// An error that ends with a question mark if a class is called alike.
std::string no_class(const std::string& wanted, const std::vector<std::string>& classes);

}  // namespace morph::source_reader
