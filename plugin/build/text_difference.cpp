// Pairs the tokens of both texts; looks at those that have no other, and at those that moved.
#include "plugin/build/text_difference.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "plugin/build/cxx_tokens.hpp"
#include "plugin/build/plain_functions.hpp"

namespace morph::build {
namespace {

using names = std::set<std::string_view>;

/// What declares something that is more than a part of the function around it, or may come to that.
const names outliving{"#",      "static",  "thread_local", "template", "class",     "struct",   "union",
                      "enum",   "extern",  "asm",          "__asm__",  "inline",    "operator", "using",
                      "friend", "typedef", "namespace",    "\\",       "co_return", "co_yield", "co_await"};
/// Words that refer to nothing.
const names keywords{"bool",     "break",    "case",    "char",     "const", "continue", "default", "do",     "double",
                     "else",     "explicit", "false",   "float",    "for",   "goto",     "if",      "int",    "long",
                     "noexcept", "not",      "nullptr", "or",       "and",   "return",   "short",   "signed", "sizeof",
                     "switch",   "this",     "true",    "unsigned", "void",  "while"};

const char* end_of(std::string_view text) {
  return text.data() + text.size();
}

struct placed_token {
  cxx_token token;
  bool is_spaced = false;     // something stands between it and the one before
  bool begins_line = false;   // is the first of one, as the preprocessor counts lines
  bool is_directive = false;  // part of one
  bool is_argument = false;   // in the parentheses of what may be a macro, which may make a string of them
  bool calls_macro = false;   // it is the name of such a macro

  std::string_view text() const { return token.text; }
};
using placed_tokens = std::vector<placed_token>;

/// Nothing of a text with words in pieces, digraphs or a byte order mark.
std::optional<placed_tokens> place(std::string_view text, const known_words& words) {
  if (text.starts_with("\xEF\xBB\xBF")) return std::nullopt;
  const std::vector<cxx_token> tokens = cxx_tokens(text);
  placed_tokens placed;
  placed.reserve(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view now = tokens[i].text, before = i > 0 ? tokens[i - 1].text : std::string_view();
    placed_token& p = placed.emplace_back(placed_token{tokens[i]});
    p.is_spaced = i == 0 || end_of(before) != now.data();
    p.begins_line = begins_line(tokens, i);
    p.is_directive = p.begins_line ? now == "#" : placed[i - 1].is_directive;
    if (now == "\\" && !p.is_directive) return std::nullopt;
    const bool is_digraph = (before == "%" && (now == ":" || now == ">")) || (before == "<" && now == "%");
    if (is_digraph && !p.is_spaced) return std::nullopt;
  }
  for (std::size_t i = 0; i + 1 < placed.size(); ++i) {
    placed_token& p = placed[i];
    if (p.is_directive || !is_word(p.text()) || placed[i + 1].text() != "(") continue;
    p.calls_macro = is_in_capitals(p.text()) || words.macros.contains(p.text()) || p.text() == "assert";
    int depth = 0;
    for (std::size_t j = i + 1; p.calls_macro && j < placed.size(); ++j) {
      depth += placed[j].text() == "(" ? 1 : placed[j].text() == ")" ? -1 : 0;
      placed[j].is_argument = true;
      if (depth == 0) break;
    }
  }
  return placed;
}

/// Whether it does not matter if there is a blank between the two.
bool stand_apart(std::string_view before, std::string_view token) {
  const auto is_bracket = [](std::string_view text) {
    return text.size() == 1 && std::string_view("()[]{};,").find(text) != std::string_view::npos;
  };
  const auto is_sign = [](std::string_view text) {
    return text.size() == 1 && std::string_view("+-*/%^&|~!=<>?:").find(text) != std::string_view::npos;
  };
  const auto is_solid = [](std::string_view text) { return is_word_character(text.front()) && text.back() != '"'; };
  return is_bracket(before) || is_bracket(token) || (is_solid(before) && is_sign(token)) ||
         (is_sign(before) && is_solid(token));
}

names names_of(const placed_tokens& tokens) {
  names found;
  for (const placed_token& t : tokens)
    if (is_word(t.text()) && !keywords.contains(t.text())) found.insert(t.text());
  return found;
}

struct part {
  std::size_t first = 0, end = 0;  // tokens
};

std::span<const placed_token> of(const placed_tokens& all, const part& p) {
  return std::span(all).subspan(p.first, p.end - p.first);
}

bool is_balanced(std::span<const placed_token> tokens, int& depth) {
  depth = 0;
  return std::all_of(tokens.begin(), tokens.end(), [&](const placed_token& t) {
    depth += t.text() == "{" ? 1 : t.text() == "}" ? -1 : 0;
    return depth >= 0;
  });
}

class text_comparison {
 public:
  text_comparison(std::string_view old_text, std::string_view new_text, const known_words& words)
      : old_text_(old_text), new_text_(new_text), words_(words) {}

  std::optional<names> run(std::span<const git::hunk> hunks) {
    if (words_.asks_time) return std::nullopt;
    auto old_tokens = place(old_text_, words_), new_tokens = place(new_text_, words_);
    if (!old_tokens || !new_tokens) return std::nullopt;
    old_ = std::move(*old_tokens);
    new_ = std::move(*new_tokens);
    if (!pair(hunks)) return std::nullopt;
    if (!differing_.empty() && names_of(old_) != names_of(new_)) return std::nullopt;
    if (words_.asks_callers && (!differing_.empty() || std::any_of(moved_.begin(), moved_.end(), [&](std::size_t i) {
          return old_[i].text() == "(";
        })))
      return std::nullopt;
    for (const auto& [was, is] : differing_)
      if (!add_difference(was, is)) return std::nullopt;
    for (const std::size_t token : moved_)
      if (shows_line(token) && !add_body(old_[token].text())) return std::nullopt;
    return std::move(bodies_);
  }

 private:
  /// False if other tokens differ than those of the hunks.
  bool pair(std::span<const git::hunk> hunks) {
    std::size_t was = 0, is = 0;
    const auto up_to = [](const placed_tokens& tokens, std::size_t from, std::uint32_t line) {
      while (from < tokens.size() && tokens[from].token.last_line < line) ++from;
      return from;
    };
    const auto behind = [](const placed_tokens& tokens, std::size_t from, std::uint32_t line) {
      while (from < tokens.size() && tokens[from].token.line < line) ++from;
      return from;
    };
    for (const git::hunk& h : hunks) {
      const std::uint32_t old_first = h.old_count > 0 ? h.old_start : h.old_start + 1;
      const std::uint32_t new_first = h.new_count > 0 ? h.new_start : h.new_start + 1;
      const part before{was, up_to(old_, was, old_first)}, now{is, up_to(new_, is, new_first)};
      if (!pair_all(before, now)) return false;
      was = behind(old_, before.end, old_first + h.old_count);
      is = behind(new_, now.end, new_first + h.new_count);
      pair_ends({before.end, was}, {now.end, is});
    }
    return pair_all({was, old_.size()}, {is, new_.size()});
  }

  bool are_equal(std::size_t was, std::size_t is) const {
    const placed_token &a = old_[was], &b = new_[is];
    if (a.text() != b.text() || a.is_directive != b.is_directive || a.is_argument != b.is_argument) return false;
    if (a.is_directive && a.begins_line != b.begins_line) return false;
    return a.is_spaced == b.is_spaced || was == 0 || is == 0 ||
           (!a.is_directive && !a.is_argument && stand_apart(old_[was - 1].text(), a.text()));
  }
  static std::size_t column_of(std::string_view text, const placed_token& t) {
    const auto at = static_cast<std::size_t>(t.text().data() - text.data());
    return at - (text.substr(0, at).rfind('\n') + 1);
  }
  void add_pair(std::size_t was, std::size_t is) {
    const bool is_moved = old_[was].token.line != new_[is].token.line ||
                          (words_.asks_callers && column_of(old_text_, old_[was]) != column_of(new_text_, new_[is]));
    if (is_moved) moved_.push_back(was);
  }
  bool pair_all(const part& was, const part& is) {
    if (was.end - was.first != is.end - is.first) return false;
    for (std::size_t i = 0; i < was.end - was.first; ++i) {
      if (!are_equal(was.first + i, is.first + i)) return false;
      add_pair(was.first + i, is.first + i);
    }
    return true;
  }
  void pair_ends(part was, part is) {
    while (was.first < was.end && is.first < is.end && are_equal(was.first, is.first))
      add_pair(was.first++, is.first++);
    while (was.first < was.end && is.first < is.end && are_equal(was.end - 1, is.end - 1))
      add_pair(--was.end, --is.end);
    if (was.first < was.end || is.first < is.end) differing_.emplace_back(was, is);
  }

  /// Where control is between the braces of a function of the old text. Nothing: elsewhere.
  static const source_function* around(const std::vector<source_function>& functions, const char* first,
                                       const char* last) {
    const auto found = std::find_if(functions.begin(), functions.end(), [&](const source_function& f) {
      return f.body.data() <= first && last < end_of(f.body);
    });
    return found == functions.end() ? nullptr : &*found;
  }

  /// The function in whose braces the part lies.
  static const source_function* function_of(const std::vector<source_function>& functions, const placed_tokens& all,
                                            const part& p) {
    if (p.first == 0 || p.end == all.size()) return nullptr;
    return around(functions, all[p.first - 1].text().data(), all[p.end].text().data());
  }

  bool add_difference(const part& was, const part& is) {
    if (old_functions_.empty())
      old_functions_ = source_functions(old_text_), new_functions_ = source_functions(new_text_);
    int opened = 0, opens = 0;
    if (!is_balanced(of(old_, was), opened) || !is_balanced(of(new_, is), opens) || opened != opens) return false;
    const auto leaves_body = [&](const placed_token& t) {
      return t.is_directive || outliving.contains(t.text()) || words_.of_compilers.contains(t.text()) ||
             words_.of_lines.contains(t.text()) || (t.calls_macro && words_.is_unknown_macro(t.text()));
    };
    for (const auto& [all, p] : {std::pair(&old_, &was), std::pair(&new_, &is)})
      if (const auto tokens = of(*all, statements_of(*all, *p)); std::any_of(tokens.begin(), tokens.end(), leaves_body))
        return false;
    const source_function* const f = function_of(old_functions_, old_, was);
    const source_function* const g = function_of(new_functions_, new_, is);
    return f != nullptr && g != nullptr && !plain_name_of(*g, words_).empty() && add(*f);
  }

  static part statements_of(const placed_tokens& all, part p) {
    const auto is_end = [&](std::size_t i) {
      return all[i].text() == ";" || all[i].text() == "{" || all[i].text() == "}";
    };
    while (p.first > 0 && !is_end(p.first - 1)) --p.first;
    while (p.end < all.size() && !is_end(p.end)) ++p.end;
    return p;
  }

  bool add_body(std::string_view token) {
    if (old_functions_.empty()) old_functions_ = source_functions(old_text_);
    const source_function* const f = around(old_functions_, token.data(), token.data());
    return f != nullptr && add(*f);
  }

  bool add(const source_function& f) {
    const std::string_view name = plain_name_of(f, words_);
    // Then its braces are not what they seem to be.
    const auto hides_brace = [&](const placed_token& t) {
      return words_.of_braces.contains(t.text()) && around(old_functions_, t.text().data(), t.text().data()) != nullptr;
    };
    if (name.empty() || std::any_of(old_.begin(), old_.end(), hides_brace)) return false;
    bodies_.insert(name);
    return true;
  }

  /// Whether the line where it stands, or ends, may be part of what it comes to.
  bool shows_line(std::size_t index) const {
    const placed_token& t = old_[index];
    if (t.is_directive) return false;
    if (t.is_argument) return is_argument_of_line(index);
    return is_of_line(t);
  }
  bool is_of_line(const placed_token& t) const {
    return words_.of_lines.contains(t.text()) || (t.calls_macro && words_.is_unknown_macro(t.text()));
  }
  /// The number may be that of any line that the call is on.
  bool is_argument_of_line(std::size_t index) const {
    while (index > 0 && old_[index].is_argument) {
      if (is_of_line(old_[index])) return true;
      --index;
    }
    return is_of_line(old_[index]);
  }

  std::string_view old_text_, new_text_;
  const known_words& words_;
  placed_tokens old_, new_;
  std::vector<std::pair<part, part>> differing_;
  std::vector<std::size_t> moved_;  // old tokens that are in another line now
  std::vector<source_function> old_functions_, new_functions_;
  names bodies_;
};

}  // namespace

text_difference compare_texts(std::string_view old_text, std::string_view new_text, std::span<const git::hunk> hunks,
                              const known_words& words) {
  auto bodies = text_comparison(old_text, new_text, words).run(hunks);
  return bodies ? text_difference{true, std::move(*bodies)} : text_difference{};
}

}  // namespace morph::build
