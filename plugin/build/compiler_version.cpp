// Reading them.
#include "plugin/build/compiler_version.hpp"

#include <algorithm>
#include <cctype>

namespace morph::build {
int major_version(const std::string& text) {
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const auto first = std::find_if(text.begin(), text.end(), is_digit);
  int number = 0;
  for (auto at = first; at != text.end() && is_digit(*at) && number < 1000; ++at) number = number * 10 + (*at - '0');
  return number;
}

int gcov_major(const std::string& version_text) {
  const std::string line = version_text.substr(0, version_text.find('\n'));
  return major_version(line.substr(std::min(line.size(), line.rfind(')') + 1)));
}

int llvm_cov_major(const std::string& version_text) {
  const std::string before = "LLVM version ";
  const auto at = version_text.find(before);
  return at == std::string::npos ? 0 : major_version(version_text.substr(at + before.size()));
}

}  // namespace morph::build
