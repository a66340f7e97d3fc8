// Operators of comparisons and logic as tables of the cases in which they are true.
#include "plugin/explain/missing_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "plugin/system/counted.hpp"

namespace morph::explain {
namespace {

struct binary {
  std::string_view left, op, right;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

/// Else what follows is a sign, or what a pointer points at.
bool ends_operand(std::string_view text) {
  const char c = text.back();
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ')' || c == ']' || c == '}' || c == '"' ||
         c == '\'';
}

/// A bracket of a template has no blank before it. Around the last of these operators that stands in no brackets and no
/// quotes.
std::optional<binary> split_at(std::string_view text, const std::vector<std::string_view>& operators) {
  std::optional<binary> found;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      for (++i; i < text.size() && text[i] != c; ++i)
        if (text[i] == '\\') ++i;
      continue;
    }
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth != 0) continue;
    static constexpr std::array<std::string_view, 20> longest{
        "<=>", "<<=", ">>=", "->*", "<=", ">=", "==", "!=", "&&", "||",
        "<<",  ">>",  "->",  "++",  "--", "+=", "-=", "*=", "/=", "::"};
    const auto* const known =
        std::ranges::find_if(longest, [&](std::string_view each) { return text.substr(i).starts_with(each); });
    const std::string_view op = known != longest.end() ? *known : text.substr(i, 1);
    if (std::ranges::find(operators, op) != operators.end()) {
      const binary here{trimmed(text.substr(0, i)), op, trimmed(text.substr(i + op.size()))};
      if (!here.left.empty() && !here.right.empty() && ends_operand(here.left) && (op != "<" || text[i - 1] == ' ') &&
          (op != ">" || text[i - 1] == ' '))
        found = here;
    }
    i += op.size() - 1;
  }
  return found;
}

/// At its operator of the lowest precedence.
std::optional<binary> split(std::string_view text) {
  static const std::vector<std::vector<std::string_view>> levels{
      {"||"},       {"&&"},     {"|"},          {"^"}, {"&"}, {"==", "!="}, {"<", "<=", ">", ">="},
      {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
  for (const auto& level : levels)
    if (auto found = split_at(text, level)) return found;
  return std::nullopt;
}

// ---- comparisons: in which of the three cases they are true

constexpr unsigned less = 1, equal = 2, greater = 4, always = less | equal | greater;

std::optional<unsigned> cases_of(std::string_view op) {
  if (op == "<") return less;
  if (op == "<=") return less | equal;
  if (op == ">") return greater;
  if (op == ">=") return greater | equal;
  if (op == "==") return equal;
  if (op == "!=") return less | greater;
  return std::nullopt;
}

std::string described(unsigned cases, std::string_view left, std::string_view right) {
  static constexpr std::array<const char*, 8> words{
      "", "less than", "equal to", "not greater than", "greater than", "different from", "not less than", ""};
  return *words.at(cases) == '\0' ? std::string() : fmt::format("`{}` {} `{}`", left, words.at(cases), right);
}

std::string of_comparison(const binary& from, unsigned cases, std::string_view replacement) {
  if (replacement == "true") return described(always & ~cases, from.left, from.right);
  if (replacement == "false") return described(cases, from.left, from.right);
  const auto to = split(replacement);
  const auto other = to && to->left == from.left && to->right == from.right ? cases_of(to->op) : std::nullopt;
  return other ? described(cases ^ *other, from.left, from.right) : std::string();
}

// ---- logic: neither, the right one alone, the left one alone, both

std::string of_logic(const binary& from, std::string_view replacement) {
  const bool is_and = from.op == "&&";
  const auto one = [&](std::string_view yes, std::string_view no) {
    return fmt::format("`{}` true and `{}` false", yes, no);
  };
  if (replacement == "true")
    return is_and ? fmt::format("`{}` or `{}` false", from.left, from.right)
                  : fmt::format("both `{}` and `{}` false", from.left, from.right);
  if (replacement == "false")
    return is_and ? fmt::format("both `{}` and `{}` true", from.left, from.right)
                  : fmt::format("`{}` or `{}` true", from.left, from.right);
  if (replacement == from.left) return is_and ? one(from.left, from.right) : one(from.right, from.left);
  if (replacement == from.right) return is_and ? one(from.right, from.left) : one(from.left, from.right);
  const auto to = split(replacement);
  if (to && to->left == from.left && to->right == from.right && (to->op == "&&" || to->op == "||") && to->op != from.op)
    return fmt::format("one of `{}` and `{}` true and the other one false", from.left, from.right);
  return {};
}

std::string of_arithmetic(const binary& from, std::string_view replacement) {
  const auto is_not_0 = [](std::string_view of) { return fmt::format("`{}` different from 0", of); };
  const bool is_sum = from.op == "+" || from.op == "-";
  if (!is_sum) return {};
  if (replacement == from.left) return is_not_0(from.right);
  if (replacement == from.right && from.op == "+") return is_not_0(from.left);
  const auto to = split(replacement);
  const bool is_other_sum = to && (to->op == "+" || to->op == "-") && to->op != from.op;
  return is_other_sum && to->left == from.left && to->right == from.right ? is_not_0(from.right) : std::string();
}

std::string listed(const std::vector<std::string>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i)
    text += (i == 0 ? "" : i + 1 == values.size() ? " and " : ", ") + values[i];
  return text;
}

std::string in_all(std::uint64_t calls) {
  return calls == 1 ? "in the only call" : fmt::format("in all {}", system::counted(calls, "call"));
}

/// What a replaced body returns; empty if it returns nothing.
std::string_view returned_by(std::string_view body) {
  body = trimmed(body);
  const auto at = body.find("return");
  if (at == std::string_view::npos) return {};
  body = trimmed(body.substr(at + 6));
  return trimmed(body.substr(0, body.find(';')));
}

std::string sentence_of_body(const explained_change& of, std::uint64_t calls) {
  const auto returned = returned_by(of.replacement);
  if (!returned.empty())
    return fmt::format("The result was `{}` {}, as it is without the body; a call with another result is missing.",
                       returned, in_all(calls));
  return fmt::format(
      "The function changed nothing that its caller can see {}; a call that changes something is missing.",
      in_all(calls));
}

}  // namespace

std::string condition_of_difference(std::string_view original, std::string_view replacement) {
  original = trimmed(original);
  replacement = trimmed(replacement);
  if (replacement.starts_with('-') && trimmed(replacement.substr(1)) == original)
    return fmt::format("`{}` different from 0", original);
  const auto from = split(original);
  if (!from) return {};
  if (const auto cases = cases_of(from->op)) return of_comparison(*from, *cases, replacement);
  if (from->op == "&&" || from->op == "||") return of_logic(*from, replacement);
  return of_arithmetic(*from, replacement);
}

seen_operand operand_of(const std::string& text) {
  const std::string_view all = text;
  // A scope's `::` is no end of a name.
  std::size_t colon = all.find(": ");
  if (colon == std::string_view::npos) return {text, {}};
  seen_operand made{std::string(trimmed(all.substr(0, colon))), {}};
  std::string_view rest = all.substr(colon + 2);
  std::string value;
  int depth = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const char c = rest[i];
    if (c == '"' || c == '\'') {
      const std::size_t first = i;
      for (++i; i < rest.size() && rest[i] != c; ++i)
        if (rest[i] == '\\') ++i;
      value += rest.substr(first, i + 1 - first);
      continue;
    }
    depth += c == '(' || c == '{' ? 1 : c == ')' || c == '}' ? -1 : 0;
    if (c == ',' && depth == 0) {
      made.values.emplace_back(trimmed(value));
      value.clear();
    } else {
      value += c;
    }
  }
  if (!trimmed(value).empty()) made.values.emplace_back(trimmed(value));
  return made;
}

std::string missing_value(const explained_change& of, const std::vector<std::string>& operands, std::uint64_t calls) {
  if (of.kind == report::mutant_kind::body) return sentence_of_body(of, calls);
  std::string seen;
  for (const std::string& each : operands) {
    const seen_operand operand = operand_of(each);
    if (operand.values.empty()) continue;
    seen += fmt::format("{}`{}` was {}", seen.empty() ? "" : ", ", operand.name, listed(operand.values));
  }
  if (!seen.empty()) seen = fmt::format(" ({} {})", seen, in_all(calls));
  if (of.kind == report::mutant_kind::statement)
    return fmt::format(
        "The statement changed nothing that its caller can see {}{}; a call in which it does is missing.",
        in_all(calls), seen);
  if (of.value == report::difference::seen) {
    const bool is_constant =
        !of.original.empty() &&
        (std::isdigit(static_cast<unsigned char>(of.original.front())) != 0 || of.original.front() == '"');
    const std::string where =
        is_constant ? std::string() : fmt::format(", which differs in {}", system::counted(of.infected, "test"));
    return fmt::format(
        "Each call ends the same with `{}` in place of `{}`{}{}; a call in which that matters is missing.",
        of.replacement, of.original, where, seen);
  }
  const std::string condition = condition_of_difference(of.original, of.replacement);
  if (condition.empty())
    return fmt::format("Each call ends the same with `{}` in place of `{}`{}; a call in which they differ is missing.",
                       of.replacement, of.original, seen);
  if (of.value == report::difference::none)
    return fmt::format("No call had {}{}; a test with such a call is missing.", condition, seen);
  return fmt::format("It shows only with {}{}; a test with such a call, in which that matters, is missing.", condition,
                     seen);
}

}  // namespace morph::explain
