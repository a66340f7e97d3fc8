// Changes of texts.
#include "plugin/generate/text_variation.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <utility>

namespace morph::generate {
namespace {

constexpr std::size_t most_token = 16;
constexpr std::string_view characters = "abcxyzAZ019 \t\n.,:;-+*/=<>()[]{}'\"\\#&%!?_~|@$^`";
constexpr std::string_view opening = "([{<", closing = ")]}>";
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> pairs{
    {{"(", ")"}, {"[", "]"}, {"{", "}"}, {"<", ">"}, {"\"", "\""}, {"'", "'"}}};

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_of_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || byte >= 0x80;
}

/// The end of a quoted part that begins here, on the same line.
std::optional<std::size_t> end_of_quoted(std::string_view text, std::size_t begin) {
  for (std::size_t i = begin + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == text[begin])
      return i + 1;
  }
  return std::nullopt;
}

void add_groups(std::string_view text, std::vector<text_piece>& to) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' || text[i] == '\'') {
      const auto end = end_of_quoted(text, i);
      if (!end) continue;
      to.push_back({text_piece::kind::group, i, *end});
      i = *end - 1;
    } else if (opening.find(text[i]) != opening.npos) {
      open.push_back(i);
    } else if (const auto which = closing.find(text[i]); which != closing.npos) {
      // What was opened in between is no bracket here: `a < b)`.
      std::size_t last = open.size();
      while (last > 0 && text[open[last - 1]] != opening[which]) --last;
      if (last == 0) continue;
      to.push_back({text_piece::kind::group, open[last - 1], i + 1});
      open.resize(last - 1);
    }
  }
}

template <typename Of>
const auto& any_one(const Of& from, optimizer::random_source& random) {
  return from[random.below(static_cast<std::uint32_t>(from.size()))];
}

std::string_view part(std::string_view text, const text_piece& of) {
  return text.substr(of.begin, of.end - of.begin);
}

/// Kinds alike, however many pieces each has.
std::optional<text_piece> any_piece(const std::vector<text_piece>& from, optimizer::random_source& random) {
  std::vector<text_piece::kind> kinds;
  for (const text_piece& each : from)
    if (kinds.empty() || kinds.back() != each.of) kinds.push_back(each.of);
  if (kinds.empty()) return std::nullopt;
  const text_piece::kind chosen = any_one(kinds, random);
  const auto [first, last] = std::ranges::equal_range(from, chosen, {}, &text_piece::of);
  return first[random.below(static_cast<std::uint32_t>(last - first))];
}

std::optional<text_piece> any_piece(const std::vector<text_piece>& from, text_piece::kind of,
                                    optimizer::random_source& random) {
  const auto [first, last] = std::ranges::equal_range(from, of, {}, &text_piece::of);
  if (first == last) return std::nullopt;
  return first[random.below(static_cast<std::uint32_t>(last - first))];
}

std::string replaced(const std::string& text, const text_piece& of, std::string_view by) {
  return text.substr(0, of.begin).append(by).append(text, of.end, text.npos);
}

std::string swapped(const std::string& text, text_piece a, text_piece b) {
  if (a.begin > b.begin) std::swap(a, b);
  if (a.end > b.begin) return replaced(text, b, part(text, a));
  return text.substr(0, a.begin)
      .append(part(text, b))
      .append(text, a.end, b.begin - a.end)
      .append(part(text, a))
      .append(text, b.end, text.npos);
}

}  // namespace

std::vector<text_piece> pieces_of(std::string_view text) {
  std::vector<text_piece> made;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = i;
    if (is_blank(text[i])) {
      ++i;
      continue;
    }
    const bool is_word = is_of_word(text[i]);
    while (i < text.size() && !is_blank(text[i]) && is_of_word(text[i]) == is_word) ++i;
    made.push_back({text_piece::kind::token, begin, i});
  }
  if (text.find('\n') != text.npos)
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
      made.push_back({text_piece::kind::line, begin, end});
      begin = end;
    }
  add_groups(text, made);
  return made;
}

std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> made;
  std::set<std::string_view> seen;
  for (const text_piece& each : pieces_of(text)) {
    if (each.of != text_piece::kind::token) break;
    if (const auto token = part(text, each); token.size() <= most_token && seen.insert(token).second)
      made.emplace_back(token);
  }
  return made;
}

std::string with_other_bytes(std::string text, std::string_view other, optimizer::random_source& random) {
  const auto at = random.below(static_cast<std::uint32_t>(text.size() + 1));
  const std::string one(1, any_one(characters, random));
  switch (random.below(text.empty() ? 2 : 7)) {
    case 0:
      return text.insert(at, one);
    case 1:
      return text.insert(at, other);
    case 2:
      return text.replace(std::min<std::size_t>(at, text.size() - 1), 1, one);
    case 3:
      return text.erase(std::min<std::size_t>(at, text.size() - 1), 1);
    case 4: {
      const auto end = at + random.below(static_cast<std::uint32_t>(text.size() - at + 1));
      return text.erase(at, end - at);
    }
    case 5: {
      const auto end = at + random.below(static_cast<std::uint32_t>(text.size() - at + 1));
      return text.insert(end, text.substr(at, end - at));
    }
    default:
      return text.substr(0, at).append(other.substr(other.size() / 2));
  }
}

std::string with_other_pieces(const std::string& text, std::string_view other, std::span<const std::string> tokens,
                              optimizer::random_source& random) {
  const std::vector<text_piece> all = pieces_of(text);
  const auto chosen = any_piece(all, random);
  if (!chosen) return text + (tokens.empty() ? std::string(other) : any_one(tokens, random));
  const std::string own(part(text, *chosen));
  switch (random.below(9)) {
    case 0:
      return replaced(text, *chosen, "");
    case 1:
      return replaced(text, *chosen, own + own);
    case 2: {
      const auto second = any_piece(all, chosen->of, random);
      return swapped(text, *chosen, *second);
    }
    case 3: {
      const auto foreign = any_piece(pieces_of(other), chosen->of, random);
      return replaced(text, *chosen, foreign ? part(other, *foreign) : other);
    }
    case 4: {
      const auto before = any_piece(all, random);
      return std::string(text).insert(before->begin, own);
    }
    case 5:
      return tokens.empty() ? text : replaced(text, *chosen, any_one(tokens, random));
    case 6: {
      if (tokens.empty()) return text;
      const std::string& token = any_one(tokens, random);
      const bool is_apart = random.below(2) == 0;
      return std::string(text).insert(random.below(2) == 0 ? chosen->begin : chosen->end,
                                      is_apart ? " " + token + " " : token);
    }
    case 7: {
      const auto& [open, close] = any_one(pairs, random);
      const bool ends_line = own.ends_with('\n');
      const std::string inner = ends_line ? own.substr(0, own.size() - 1) : own;
      return replaced(text, *chosen, std::string(open) + inner + std::string(close) + (ends_line ? "\n" : ""));
    }
    default: {
      // A line of its own, or further in or out.
      if (chosen->of != text_piece::kind::line) return std::string(text).insert(chosen->begin, "\n");
      if (own.starts_with(' ') && random.below(2) == 0) return replaced(text, *chosen, own.substr(1));
      return std::string(text).insert(chosen->begin, random.below(2) == 0 ? "  " : " ");
    }
  }
}

std::vector<std::string> excerpts(std::string_view text, std::size_t most, std::size_t count) {
  if (text.size() <= most) return {std::string(text)};
  std::vector<std::string> all;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = std::min(begin + most, text.size());
    if (end < text.size())
      if (const auto line = text.rfind('\n', end - 1); line != text.npos && line >= begin) end = line + 1;
    all.emplace_back(text.substr(begin, end - begin));
    begin = end;
  }
  std::vector<std::string> made;
  for (std::size_t i = 0; i < std::min(count, all.size()); ++i)
    made.push_back(all[i * all.size() / std::min(count, all.size())]);
  return made;
}

}  // namespace morph::generate
