// The C library's regular expressions, owned.
#include "plugin/system/regular_expression.hpp"

#include <regex.h>

namespace morph::system {

std::optional<pattern> pattern::compile(const std::string& expression) {
  auto raw = std::make_unique<regex_t>();
  if (::regcomp(raw.get(), expression.c_str(), REG_EXTENDED | REG_NOSUB) != 0) return std::nullopt;
  pattern result;
  result.compiled_ = {raw.release(), [](regex_t* compiled) {
                        ::regfree(compiled);
                        delete compiled;
                      }};
  return result;
}

bool pattern::occurs_in(const std::string& text) const {
  // With REG_STARTEND the text may hold null characters.
  regmatch_t whole{0, static_cast<regoff_t>(text.size())};
  return ::regexec(compiled_.get(), text.c_str(), 1, &whole, REG_STARTEND) == 0;
}

}  // namespace morph::system
