// Names of tests, and what their comments say.
#include "plugin/generate/test_names.hpp"

#include <fmt/format.h>

#include <cctype>

namespace morph::generate {

std::string plain_name(const modelled_callable& of) {
  if (of.makes_object()) return "Constructor";
  std::string made;
  const std::string& from = of.how == modelled_callable::kind::function ? of.name : of.method;
  const auto at = from.rfind("::");
  for (const char c : at == std::string::npos ? from : from.substr(at + 2))
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) made += c;
  if (made.starts_with("operator")) made = "Operator" + made.substr(8);
  if (!made.empty()) made[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(made[0])));
  return made.empty() ? "Call" : made;
}

std::string goal_name(const goal& of) {
  if (of.condition.empty()) return "";
  std::string made;
  bool begins = true;
  for (const char c : of.condition) {
    const bool is_letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (is_letter && made.size() < 24)
      made += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = !is_letter;
  }
  std::string outcome;
  for (const char c : of.outcome)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) outcome += c;
  if (outcome == "false") return "Not" + made;
  if (outcome == "true" || outcome.empty()) return made;
  outcome[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(outcome[0])));
  return made + outcome.substr(0, 16);
}

std::string described(const goal& of) {
  if (of.condition.empty()) return fmt::format("enters {}", of.function);
  return fmt::format("{}:{}: {} is {}", of.file, of.line, of.condition, of.outcome);
}

}  // namespace morph::generate
