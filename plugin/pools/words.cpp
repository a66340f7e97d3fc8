// Options as `--name VALUE` and as `--name=VALUE`.
#include "plugin/pools/words.hpp"

namespace morph::pools {

std::string value_of(const std::vector<std::string>& words, const std::string& name) {
  std::string value;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == name && i + 1 < words.size()) value = words[i + 1];
    if (words[i].starts_with(name + "=")) value = words[i].substr(name.size() + 1);
  }
  return value;
}

std::vector<std::string> take_options(const std::vector<std::string>& words,
                                      const std::map<std::string, std::string*>& options) {
  std::vector<std::string> others;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    const auto option = options.find(words[i].substr(0, equals));
    if (option == options.end())
      others.push_back(words[i]);
    else if (equals != std::string::npos)
      *option->second = words[i].substr(equals + 1);
    else if (i + 1 < words.size())
      *option->second = words[++i];
  }
  return others;
}

}  // namespace morph::pools
