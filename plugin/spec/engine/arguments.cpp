// Reading the options of a program of specs.
#include "plugin/spec/engine/arguments.hpp"

#include <algorithm>
#include <cstdlib>

#include "plugin/writing/edit_distance.hpp"

namespace morph::engine {

std::string most_alike(const std::string& name, const std::vector<std::string>& known) {
  return writing::nearest_name(known, (name.size() + 3) / 2,
                               [&](const std::string& each) { return writing::edit_distance(name, each); });
}

std::string read_arguments(const std::vector<std::string>& arguments, const std::vector<option>& options,
                           std::vector<std::string>& others) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument.size() < 2 || argument[0] != '-') {
      others.push_back(argument);
      continue;
    }
    const std::size_t equals = argument.find('=');
    const std::string name = argument == "-q" ? "--quiet" : argument.substr(0, equals);
    const auto found = std::find_if(options.begin(), options.end(), [&](const option& o) { return o.name == name; });
    if (found == options.end()) {
      std::vector<std::string> names;
      for (const option& each : options) names.push_back(each.name);
      const std::string alike = most_alike(name, names);
      return "the option '" + name + "' is unknown" + (alike.empty() ? "" : "; did you mean '" + alike + "'?");
    }
    std::string value;
    if (found->value.empty()) {
      if (equals != std::string::npos) return "'" + name + "' takes no value";
    } else if (equals != std::string::npos) {
      value = argument.substr(equals + 1);
    } else if (found->value.front() != '[') {
      if (i + 1 == arguments.size()) return "'" + name + "' needs a value: " + name + " " + found->value;
      value = arguments[++i];
    }
    if (const std::string error = found->set(value); !error.empty()) return "'" + name + "': " + error;
  }
  return {};
}

std::string option_help(const std::vector<option>& options) {
  std::size_t width = 0;
  const auto shown = [](const option& each) {
    return each.name + (each.value.empty() || each.value.front() == '[' ? "" : " ") + each.value;
  };
  for (const option& each : options) width = std::max(width, shown(each).size());
  std::string text;
  for (const option& each : options) {
    std::string head = "  " + shown(each);
    head.resize(width + 4, ' ');
    text += head;
    for (const char c : each.help) text += c == '\n' ? "\n" + std::string(width + 4, ' ') : std::string(1, c);
    text += '\n';
  }
  return text;
}

std::function<std::string(const std::string&)> into_seconds(double& to) {
  return [&to](const std::string& text) {
    char* end = nullptr;
    to = std::strtod(text.c_str(), &end);
    return text.empty() || *end != 0 || !(to > 0) || to > 1e9 ? "'" + text + "' is not a number of seconds"
                                                              : std::string();
  };
}
std::function<std::string(const std::string&)> into_flag(bool& to) {
  return [&to](const std::string&) {
    to = true;
    return std::string();
  };
}
std::function<std::string(const std::string&)> into_list(std::vector<std::string>& to) {
  return [&to](const std::string& text) {
    to.push_back(text);
    return std::string();
  };
}
std::function<std::string(const std::string&)> into_text(std::string& to) {
  return [&to](const std::string& text) {
    to = text;
    return std::string();
  };
}

}  // namespace morph::engine
