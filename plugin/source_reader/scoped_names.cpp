// The nearest name, by its whole or by its last part.
#include "plugin/source_reader/scoped_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plugin/writing/edit_distance.hpp"

namespace morph::source_reader {

std::string last_of(const std::string& name) {
  const auto at = name.rfind("::");
  return at == std::string::npos ? name : name.substr(at + 2);
}

std::string alike(const std::string& wanted, const std::vector<std::string>& names) {
  return writing::nearest_name(names, wanted.size() / 3 + 2, [&](const std::string& name) {
    return std::min(writing::edit_distance(wanted, name), writing::edit_distance(last_of(wanted), last_of(name)));
  });
}

std::string no_class(const std::string& wanted, const std::vector<std::string>& classes) {
  const std::string text = fmt::format("there is no class '{}' with functions in the project's sources", wanted);
  const std::string like = alike(wanted, classes);
  return like.empty() ? text : text + fmt::format("; did you mean '{}'?", like);
}

}  // namespace morph::source_reader
