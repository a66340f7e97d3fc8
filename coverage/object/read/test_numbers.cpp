// Numbers in mangled names, and the strings near them where tests are registered.
#include "coverage/object/read/test_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "coverage/object/read/digest.hpp"
#include "coverage/object/read/initializers.hpp"

namespace morph::object {
namespace {

enum class family : std::uint8_t {
  test,        // a function or class of a test
  registered,  // the variable that registers it, numbered right behind
  suite,       // a namespace
};

struct prefix {
  std::string_view text;
  family of;
};

// Of two that begin alike the longer one first.
constexpr std::array<prefix, 14> prefixes{{
    {"DOCTEST_ANON_VAR_", family::registered},
    {"DOCTEST_ANON_SUITE_", family::suite},
    {"DOCTEST_ANON_FUNC_", family::test},
    {"DOCTEST_ANON_CLASS_", family::test},
    {"DOCTEST_ANON_PROXY_", family::test},
    {"DOCTEST_ANON_TMP_", family::test},
    {"CATCH2_INTERNAL_TEMPLATE_TEST_", family::test},
    {"CATCH2_INTERNAL_TEST_", family::test},
    {"C_A_T_C_H_T_E_M_P_L_A_T_E_T_E_S_T_F_U_N_C_", family::test},
    {"C_A_T_C_H_T_E_M_P_L_A_T_E_T_E_S_T_C_L_A_S_S_", family::test},
    {"C_A_T_C_H_T_E_M_P_L_A_T_E_T_E_S_T_", family::test},
    {"C_A_T_C_H_T_E_S_T_", family::test},
    {"autoRegistrar", family::registered},
    {"globalRegistrar", family::registered},
}};
constexpr std::string_view older_catch = "____C_A_T_C_H____T_E_S_T____";

/// `19DOCTEST_ANON_FUNC_7` within a mangled name.
struct token {
  std::size_t begin, end;  // with the number of its characters
  std::string_view head, tail;
  std::uint32_t number;
  family of;
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// `at`: where a prefix was found. Digits before the count of characters may belong to what comes before.
std::optional<token> token_at(std::string_view name, std::size_t at, const prefix& p) {
  const std::size_t before = name.substr(0, at).find_last_not_of("0123456789");
  const std::size_t first_digit = before == std::string_view::npos ? 0 : before + 1;
  for (std::size_t digits = 1; digits <= std::min<std::size_t>(3, at - first_digit); ++digits) {
    std::size_t length = 0;
    for (std::size_t i = at - digits; i < at; ++i) length = length * 10 + static_cast<std::size_t>(name[i] - '0');
    if (length <= p.text.size() || length > p.text.size() + 32 || at + length > name.size()) continue;
    const std::string_view rest = name.substr(at + p.text.size(), length - p.text.size());
    std::size_t end = 0;
    std::uint64_t number = 0;
    while (end < rest.size() && end < 9 && is_digit(rest[end]))
      number = number * 10 + static_cast<std::uint64_t>(rest[end++] - '0');
    if (end == 0) continue;
    return token{at - digits, at + length, p.text, rest.substr(end), static_cast<std::uint32_t>(number), p.of};
  }
  return {};
}

std::vector<token> tokens_of(std::string_view name) {
  std::vector<token> found;
  if (name.find("DOCTEST_ANON_") == std::string_view::npos && name.find("C_A_T_C_H_") == std::string_view::npos &&
      name.find("CATCH2_INTERNAL_") == std::string_view::npos && name.find("Registrar") == std::string_view::npos)
    return found;
  for (std::size_t at = 0; at < name.size();) {
    std::optional<token> here;
    for (const prefix& p : prefixes) {
      if (!name.substr(at).starts_with(p.text)) continue;
      if (here = token_at(name, at, p); here) break;
    }
    if (!here && name.substr(at).starts_with(older_catch)) here = token_at(name, at, {older_catch, family::test});
    if (here) found.push_back(*here);
    at = here ? here->end : at + 1;
  }
  return found;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool is_suite(std::string_view function) {
  return contains(function, "doctest_detail_test_suite_ns") && contains(function, "getCurrentTestSuite");
}

// A class whose constructor registers one test for each of a list of types.
bool registers_types(std::string_view function) {
  const bool constructs = function.ends_with("C1Ev") || function.ends_with("C2Ev") || contains(function, "ITERATOR");
  return constructs && !tokens_of(function).empty() &&
         (contains(function, "C_A_T_C_H_T_E_M_P_L_A_T_E") || contains(function, "CATCH2_INTERNAL_TEMPLATE") ||
          contains(function, "DOCTEST_ANON_TMP_"));
}

}  // namespace

bool test_numbers::is_numbered(std::string_view symbol) {
  return !tokens_of(symbol).empty();
}

bool is_ambient(std::string_view text, std::string_view file) {
  if (text.empty()) return true;
  return !file.empty() && text.ends_with(file) &&
         (text.size() == file.size() || text[text.size() - file.size() - 1] == '/');
}

bool test_numbers::registers(std::string_view function) {
  return is_initializer_name(function) || is_suite(function) || registers_types(function);
}

void test_numbers::add_title(std::string text, std::vector<std::uint32_t> numbers) {
  std::erase_if(numbers, [&](std::uint32_t n) { return title_of_.contains(n); });
  if (numbers.empty()) return;
  for (const std::uint32_t n : numbers) title_of_.emplace(n, titles_.size());
  titles_.push_back({std::move(text), std::move(numbers)});
}

void test_numbers::add(std::string_view function, const std::vector<registering_reference>& references,
                       std::string_view file) {
  const bool initializes = is_initializer_name(function);
  std::string text;
  std::vector<std::uint32_t> numbers;
  const auto end = [&] {
    add_title(std::move(text), std::move(numbers));
    text.clear();
    numbers.clear();
  };
  if (!initializes)
    for (const token& t : tokens_of(function))
      if (is_suite(function) ? t.of == family::suite : t.of == family::test) numbers.push_back(t.number);
  for (const registering_reference& r : references) {
    if (!r.text.empty() && r.text[0] != '[' && !is_ambient(r.text, file))
      text += (text.empty() ? "" : " ") + std::string(r.text);
    if (!initializes) continue;
    for (const token& t : tokens_of(r.symbol))
      if (t.of == family::test) numbers.push_back(t.number);
    if (registers_test(r.symbol)) end();
  }
  if (initializes || !text.empty()) end();
}

void test_numbers::add_symbol(std::string_view symbol) {
  for (const token& t : tokens_of(symbol)) numbers_.emplace(t.number, t.of == family::registered);
}

void test_numbers::close() {
  // Numbers of one test follow each other: its class, its function, the variable.
  for (const auto& [number, is_behind] : numbers_) {
    if (title_of_.contains(number)) continue;
    const auto previous = title_of_.find(number - 1), next = title_of_.find(number + 1);
    const auto near = is_behind && previous != title_of_.end() ? previous : next != title_of_.end() ? next : previous;
    if (near == title_of_.end()) continue;
    titles_[near->second].numbers.push_back(number);
  }
  for (std::size_t i = 0; i < titles_.size(); ++i)
    for (const std::uint32_t n : titles_[i].numbers) title_of_.emplace(n, i);
  std::map<std::string, std::vector<std::size_t>> alike;
  digest_writer all;
  for (std::size_t i = 0; i < titles_.size(); ++i) {
    all.text(titles_[i].text);
    alike[titles_[i].text].push_back(i);
  }
  // Variables that register no test are known by their order.
  std::size_t variables = 0;
  for (const auto& [number, is_behind] : numbers_) {
    if (title_of_.contains(number)) continue;
    if (!is_behind) {
      all.number(number);
      continue;
    }
    title_of_.emplace(number, titles_.size());
    titles_.push_back({fmt::format("{}", variables++), {number}});
  }
  const std::string unknown = "? of " + hex(all.finish()).substr(0, 16);
  constexpr std::size_t longest = 100;
  for (const auto& [text, which] : alike)
    for (std::size_t k = 0; k < which.size(); ++k) {
      std::string& name = titles_[which[k]].text;
      if (name.empty())
        name = fmt::format("{} {}", k, unknown);
      else if (name.size() > longest)
        name = fmt::format("{}... {}", name.substr(0, longest), hex(digest_of(text)));
      if (!text.empty() && which.size() > 1) name += fmt::format(" #{} of {}", k + 1, which.size());
    }
  for (const auto& [number, is_behind] : numbers_) {
    if (title_of_.contains(number)) continue;
    title_of_.emplace(number, titles_.size());
    titles_.push_back({fmt::format("{} {}", number, unknown), {number}});
  }
}

std::string test_numbers::renamed(std::string_view symbol) const {
  std::string name;
  std::size_t from = 0;
  for (const token& t : tokens_of(symbol)) {
    const auto found = title_of_.find(t.number);
    if (found == title_of_.end()) continue;
    const std::string identifier = fmt::format("{}\"{}\"{}", t.head, titles_[found->second].text, t.tail);
    name += symbol.substr(from, t.begin - from);
    name += fmt::format("{}{}", identifier.size(), identifier);
    from = t.end;
  }
  return name.append(symbol.substr(from));
}

}  // namespace morph::object
