// Catch2's listings and test specifications, doctest's, and the bytes that their XML lacks.
#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <charconv>

#include "plugin/frameworks/framework.hpp"

namespace morph::frameworks {
namespace {

constexpr std::string_view no_list = "printed no list of tests";

/// The XML document that ends in `</root>`; the program's main() may have printed other text around it.
std::string_view document_in(std::string_view text, std::string_view root) {
  const std::string end_tag = fmt::format("</{}>", root), empty = fmt::format("<{}/>", root);
  const auto begin = text.rfind("<?xml");
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin);
  for (const std::string& tag : {end_tag, empty})
    if (const auto end = text.find(tag); end != std::string_view::npos) return text.substr(0, end + tag.size());
  return {};
}

std::string text_of(const tinyxml2::XMLElement* parent, const char* child) {
  const tinyxml2::XMLElement* element = parent == nullptr ? nullptr : parent->FirstChildElement(child);
  const char* text = element == nullptr ? nullptr : element->GetText();
  return text == nullptr ? std::string() : text;
}

int number_in(std::string_view text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Catch2 lists names that begin with `#` in quotes: in a file of names, `#` begins a comment.
std::string catch2_shown(const std::string& name) {
  return name.starts_with('#') ? '"' + name + '"' : name;
}

/// Where `\t@file:line` begins in a line of version 2's list.
std::size_t place_in(std::string_view line) {
  const auto at = line.rfind("\t@");
  const auto colon = line.rfind(':');
  const bool is_place = at != std::string_view::npos && colon != std::string_view::npos && colon > at &&
                        colon + 1 < line.size() &&
                        line.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
  return is_place ? at : std::string_view::npos;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Where the next `\xHH` is.
std::size_t find_escape(std::string_view text, std::size_t from) {
  for (auto at = text.find("\\x", from); at != std::string_view::npos; at = text.find("\\x", at + 1))
    if (at + 3 < text.size() && hex_digit(text[at + 2]) >= 0 && hex_digit(text[at + 3]) >= 0) return at;
  return std::string_view::npos;
}

std::string with_bytes(std::string name) {
  for (auto at = find_escape(name, 0); at != std::string::npos; at = find_escape(name, at + 1))
    name.replace(at, 4, 1, static_cast<char>(hex_digit(name[at + 2]) * 16 + hex_digit(name[at + 3])));
  return name;
}

}  // namespace

result<std::vector<listed_case>> parse_catch2_xml(std::string_view text) {
  const std::string_view document = document_in(text, "MatchingTests");
  tinyxml2::XMLDocument xml;
  if (document.empty() || xml.Parse(document.data(), document.size()) != tinyxml2::XML_SUCCESS)
    return tl::unexpected(std::string(no_list));
  std::vector<listed_case> cases;
  for (const auto* test = xml.RootElement()->FirstChildElement("TestCase"); test != nullptr;
       test = test->NextSiblingElement("TestCase")) {
    const auto* place = test->FirstChildElement("SourceInfo");
    const std::string name = text_of(test, "Name");
    cases.push_back({name, catch2_shown(name), text_of(place, "File"), number_in(text_of(place, "Line")), false});
  }
  return cases;
}

bool has_other_text(std::string_view catch2_names) {
  const auto lines = lines_of(catch2_names);
  return std::any_of(lines.begin(), lines.end(), [](auto line) { return place_in(line) == std::string_view::npos; });
}

result<std::vector<listed_case>> parse_catch2_names(std::string_view text, std::string_view other_text) {
  const auto lines = lines_of(text);
  const auto ends_case = [](std::string_view line) { return place_in(line) != std::string_view::npos; };
  const auto after_last = std::find_if(lines.rbegin(), lines.rend(), ends_case).base();
  const auto others = lines_of(other_text).size();
  const auto behind = static_cast<std::size_t>(lines.end() - after_last);
  if (after_last == lines.begin() && !text.empty()) return tl::unexpected(std::string(no_list));
  if (others < behind)
    return tl::unexpected(
        fmt::format("printed '{}' behind its list of tests, but not when no test matches", *after_last));

  const auto first = lines.begin() + static_cast<std::ptrdiff_t>(std::min(others - behind, lines.size()));
  if (std::any_of(lines.begin(), first, ends_case))
    return tl::unexpected(fmt::format("its own output and its list of tests share the line '{}'", lines.front()));
  std::vector<listed_case> cases;
  std::string name;
  for (auto line = first; line != after_last; ++line) {
    const auto place = place_in(*line);
    name += line->substr(0, place);
    if (place == std::string_view::npos) {
      name += '\n';
      continue;
    }
    const std::string_view where = line->substr(place + 2);
    const auto colon = where.rfind(':');
    if (name.size() > 2 && name.starts_with("\"#") && name.ends_with('"')) name = name.substr(1, name.size() - 2);
    cases.push_back(
        {name, catch2_shown(name), std::string(where.substr(0, colon)), number_in(where.substr(colon + 1)), false});
    name.clear();
  }
  return cases;
}

std::string catch2_pattern(std::string_view name) {
  constexpr std::string_view special = "\\,[]\"";
  constexpr std::string_view exclusion = "exclude:";
  const bool plain = name.find_first_of(special) == std::string_view::npos && !name.empty() &&
                     std::string_view("~- ").find(name.front()) == std::string_view::npos;
  if (plain && !name.starts_with(exclusion)) return std::string(name);
  // Outside quotes, Catch2 drops a blank that follows an escaped character at the beginning.
  std::string pattern = "\"";
  if (name.starts_with(exclusion)) {
    pattern += '*';
    name.remove_prefix(1);
  }
  for (const char c : name) {
    if (special.find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern + '"';
}

result<std::vector<listed_case>> parse_doctest_xml(std::string_view text) {
  const std::string_view document = document_in(text, "doctest");
  tinyxml2::XMLDocument xml;
  if (document.empty() || xml.Parse(document.data(), document.size()) != tinyxml2::XML_SUCCESS)
    return tl::unexpected(std::string(no_list));
  const auto attribute = [](const tinyxml2::XMLElement* test, const char* which) {
    const char* value = test->Attribute(which);
    return value == nullptr ? std::string() : std::string(value);
  };
  std::vector<listed_case> cases;
  for (const auto* test = xml.RootElement()->FirstChildElement("TestCase"); test != nullptr;
       test = test->NextSiblingElement("TestCase")) {
    std::string name = attribute(test, "name");
    if (name.empty()) name = doctest_unnamed;
    cases.push_back({name, name, attribute(test, "filename"), number_in(attribute(test, "line")), false});
  }
  return cases;
}

std::string doctest_pattern(std::string_view name) {
  std::string pattern(name);
  for (char& c : pattern)
    if (c == ',' || c == '\\') c = '?';
  return pattern;
}

bool may_lack_bytes(const std::vector<listed_case>& cases) {
  return std::any_of(cases.begin(), cases.end(),
                     [](const auto& c) { return find_escape(c.case_name, 0) != std::string::npos; });
}

void restore_bytes(std::vector<listed_case>& cases, std::string_view plain_listing) {
  for (listed_case& c : cases) {
    if (plain_listing.find(c.case_name) != std::string_view::npos) continue;
    c.case_name = with_bytes(c.case_name);
    c.name = with_bytes(c.name);
  }
}

}  // namespace morph::frameworks
