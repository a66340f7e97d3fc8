#include "plugin/command/compiler_messages.hpp"

#include <regex>
#include <string_view>

namespace morph::command {

std::vector<std::vector<message_place>> errors_in(const std::string& messages) {
  static const std::regex line(R"re((?:^|\n)([^\s:][^:\n]*):(\d+):(\d+): +([^\n]*))re");
  std::vector<std::vector<message_place>> errors;
  std::vector<message_place> asked;  // GCC says it before the error, Clang behind it
  for (auto i = std::sregex_iterator(messages.begin(), messages.end(), line); i != std::sregex_iterator(); ++i) {
    const message_place at{(*i)[1], static_cast<std::uint32_t>(std::stoul((*i)[2])),
                           static_cast<std::uint32_t>(std::stoul((*i)[3]))};
    const std::string text = (*i)[4];
    if (text.starts_with("error: ") || text.starts_with("fatal error: ")) {
      errors.push_back({at});
      errors.back().insert(errors.back().end(), asked.begin(), asked.end());
      asked.clear();
    } else if (text.starts_with("required ") || text.starts_with("recursively required ")) {
      asked.push_back(at);
    } else if (text.starts_with("note: ") && text.ends_with("requested here") && !errors.empty()) {
      errors.back().push_back(at);
    }
  }
  return errors;
}

std::vector<message_place> crashes_in(const std::string& messages) {
  // "a.cpp:3:5: internal compiler error: ..." of GCC, "2.\ta.cpp:3:5: parsing function body 'f'" of Clang
  static const std::regex line(R"re((?:^|\n)(\d+\.\t)?([^\s:][^:\n]*):(\d+):(?:(\d+):)? +([^\n]*))re");
  std::vector<message_place> crashes;
  for (auto i = std::sregex_iterator(messages.begin(), messages.end(), line); i != std::sregex_iterator(); ++i)
    if ((*i)[1].matched || (*i)[5].str().starts_with("internal compiler error: "))
      crashes.push_back({(*i)[2], static_cast<std::uint32_t>(std::stoul((*i)[3])),
                         (*i)[4].matched ? static_cast<std::uint32_t>(std::stoul((*i)[4])) : 0});
  return crashes;
}

}  // namespace morph::command
