// Options of a program of specs: what they are called, what they take, what they do.
#pragma once

#include <charconv>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace morph::engine {

struct option {
  std::string name;   // "--order"
  std::string value;  // "K"; empty if it takes none; "[=K]" if it may be left out
  std::string help;
  std::function<std::string(const std::string&)> set;  // an error, or nothing
};

/// What stands beside the options goes to `others`. An error names the argument and what would do.
std::string read_arguments(const std::vector<std::string>& arguments, const std::vector<option>& options,
                           std::vector<std::string>& others);
std::string option_help(const std::vector<option>& options);

/// For `set`: a whole number of at least `least`.
template <typename Number>
std::function<std::string(const std::string&)> into_number(Number& to, std::uint64_t least = 0) {
  return [&to, least](const std::string& text) {
    if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos)
      return "'" + text + "' is not a whole number";
    std::uint64_t number = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc())
      return "'" + text + "' is too large";
    if (number < least) return "it has to be at least " + std::to_string(least);
    if (number > static_cast<std::uint64_t>(static_cast<Number>(~Number{0}))) return "'" + text + "' is too large";
    to = static_cast<Number>(number);
    return std::string();
  };
}
std::function<std::string(const std::string&)> into_seconds(double& to);
std::function<std::string(const std::string&)> into_flag(bool& to);
std::function<std::string(const std::string&)> into_list(std::vector<std::string>& to);
std::function<std::string(const std::string&)> into_text(std::string& to);

/// The known name that is most like `name`, for "did you mean"; empty if none is.
std::string most_alike(const std::string& name, const std::vector<std::string>& known);

}  // namespace morph::engine
