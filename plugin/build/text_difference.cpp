// Pairs the tokens of both texts; looks at those that have no other, and at those that moved.
#include "plugin/build/text_difference.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "plugin/build/cxx_tokens.hpp"

namespace morph::build {
namespace {

using names = std::set<std::string_view>;

const names of_callers{"__builtin_LINE", "__builtin_COLUMN", "__builtin_source_location", "source_location",
                       "BOOST_CURRENT_LOCATION"};
const names compilers{"constexpr",       "consteval",      "constinit",      "always_inline", "__always_inline__",
                      "__forceinline",   "gnu_inline",     "__gnu_inline__", "constructor",   "init_array",
                      "__constructor__", "__init_array__", "__attribute",    "__attribute__", "optimize",
                      "section",         "_Pragma"};
/// What a function's head cannot have, for all that is known here: it is none, or more than its body depends on it.
const names other_heads{"struct", "class",    "union",   "enum",  "namespace", "concept", "extern",
                        "auto",   "decltype", "typedef", "using", "asm",       "__asm__", "requires"};
const names no_function{"alignas", "noexcept", "throw", "__declspec", "explicit"};
/// What declares something that is more than a part of the function around it, or may come to that.
const names outliving{"#",      "static",  "thread_local", "template", "class",     "struct",   "union",
                      "enum",   "extern",  "asm",          "__asm__",  "inline",    "operator", "using",
                      "friend", "typedef", "namespace",    "\\",       "co_return", "co_yield", "co_await"};
/// Words that refer to nothing.
const names keywords{"bool",     "break",    "case",    "char",     "const", "continue", "default", "do",     "double",
                     "else",     "explicit", "false",   "float",    "for",   "goto",     "if",      "int",    "long",
                     "noexcept", "not",      "nullptr", "or",       "and",   "return",   "short",   "signed", "sizeof",
                     "switch",   "this",     "true",    "unsigned", "void",  "while"};

/// Macros of the C library in capitals, which come to nothing of a line.
const names of_c{"INT8_C",   "INT16_C",   "INT32_C",   "INT64_C",     "UINT8_C",     "UINT16_C", "UINT32_C", "UINT64_C",
                 "INTMAX_C", "UINTMAX_C", "WIFEXITED", "WEXITSTATUS", "WIFSIGNALED", "WTERMSIG", "S_ISDIR",  "S_ISREG",
                 "S_ISLNK",  "FD_ZERO",   "FD_SET",    "FD_ISSET",    "CPU_ZERO",    "CPU_SET"};

/// As macros are called by convention.
bool is_in_capitals(std::string_view word) {
  return word.size() > 1 &&
         std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isupper(c) != 0; }) &&
         std::none_of(word.begin(), word.end(), [](unsigned char c) { return std::islower(c) != 0; });
}

/// Of a word that parentheses follow.
bool is_unknown_macro(std::string_view word, const known_words::words& macros) {
  return is_in_capitals(word) && !macros.contains(word) && !of_c.contains(word);
}

const char* end_of(std::string_view text) {
  return text.data() + text.size();
}

struct placed_token {
  cxx_token token;
  bool is_spaced = false;     // something stands between it and the one before
  bool is_directive = false;  // part of one
  bool is_argument = false;   // in the parentheses of what may be a macro, which may make a string of them
  bool calls_macro = false;   // it is the name of such a macro

  std::string_view text() const { return token.text; }
};
using placed_tokens = std::vector<placed_token>;

/// Nothing of a text whose directives or words go on where no line shows it.
std::optional<placed_tokens> place(std::string_view text, const known_words& words) {
  const std::vector<cxx_token> tokens = cxx_tokens(text);
  placed_tokens placed;
  placed.reserve(tokens.size());
  std::uint32_t directive = 0;  // its last line so far
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const cxx_token& t = tokens[i];
    placed_token& p = placed.emplace_back(placed_token{t});
    p.is_spaced = i == 0 || end_of(tokens[i - 1].text) != t.text.data();
    const bool begins_line = i == 0 || tokens[i - 1].last_line != t.line;
    if (t.text == "#" && begins_line && t.line > directive) directive = t.line;
    p.is_directive = t.line <= directive;
    const bool ends_line = i + 1 == tokens.size() || tokens[i + 1].line > t.last_line;
    if (t.text == "\\") {
      if (!p.is_directive || !ends_line) return std::nullopt;
      ++directive;
    } else if (p.is_directive && ends_line && i + 1 < tokens.size()) {
      const std::string_view gap(end_of(t.text), static_cast<std::size_t>(tokens[i + 1].text.data() - end_of(t.text)));
      const std::string_view rest = gap.substr(0, gap.find('\n'));
      if (rest.rfind("/*") != std::string_view::npos && rest.find("*/", rest.rfind("/*")) == std::string_view::npos)
        return std::nullopt;
      if (rest.ends_with('\\')) return std::nullopt;  // a comment that goes on
    }
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

/// Behind `template <...>`; nothing if they do not end.
std::optional<std::size_t> skip_template(std::span<const cxx_token> head, std::size_t at) {
  int angles = 0, parentheses = 0;
  for (++at; at < head.size(); ++at) {
    const std::string_view text = head[at].text;
    parentheses += text == "(" ? 1 : text == ")" ? -1 : 0;
    if (parentheses == 0) angles += text == "<" ? 1 : text == ">" ? -1 : 0;
    if (angles == 0) return text == ">" ? std::optional(at + 1) : std::nullopt;
  }
  return std::nullopt;
}

/// Whether it is a function as most are: one of which the body is code, and nothing else.
bool is_plain(const source_function& f, const known_words& words) {
  const std::vector<cxx_token> head = cxx_tokens(f.head);
  std::size_t at = 0;
  while (at < head.size() && head[at].text == "template") {
    const auto behind = skip_template(head, at);
    if (!behind) return false;
    at = *behind;
  }
  int depth = 0;
  bool has_arguments = false, initializes = false;
  for (std::size_t i = 0; i < head.size(); ++i) {
    const std::string_view text = head[i].text, next = i + 1 < head.size() ? head[i + 1].text : std::string_view();
    if (words.of_compilers.contains(text) || (next == "(" && is_unknown_macro(text, words.macros))) return false;
    if (i < at) continue;
    if (other_heads.contains(text)) return false;
    depth += text == "(" ? 1 : text == ")" ? -1 : 0;
    if (depth > 0) continue;
    has_arguments |= text == ")";
    // Conversions and literals are called otherwise in symbols, and so are operators behind a blank.
    if (text == "operator" &&
        (next.empty() || end_of(text) != next.data() || is_word(next) || next.front() == '"' || next.front() == '\''))
      return false;
    const auto is_operator_at = [&](std::size_t back) { return i >= back && head[i - back].text == "operator"; };
    if (is_operator_at(1) || is_operator_at(2) || is_operator_at(3)) continue;
    initializes |= text == ":" && has_arguments && next != ":" && head[i - 1].text != ":";
    if (text == "," && has_arguments && !initializes) return false;
    if (text == "-" && next != ">") return false;
    if (!is_word(text) && std::string_view("-*&<>:~()[],").find(text) == std::string_view::npos) return false;
  }
  // What a macro makes may be called anything.
  return std::any_of(f.names.begin(), f.names.end(), [&](std::string_view name) {
    return !no_function.contains(name) && !keywords.contains(name) && !words.macros.contains(name) &&
           !is_in_capitals(name);
  });
}

class text_comparison {
 public:
  text_comparison(std::string_view old_text, std::string_view new_text, const known_words& words)
      : old_text_(old_text), new_text_(new_text), words_(words) {}

  std::optional<std::vector<source_function>> run(std::span<const git::hunk> hunks) {
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
             words_.of_lines.contains(t.text()) || (t.calls_macro && is_unknown_macro(t.text(), words_.macros));
    };
    for (const auto& [all, p] : {std::pair(&old_, &was), std::pair(&new_, &is)})
      if (const auto tokens = of(*all, *p); std::any_of(tokens.begin(), tokens.end(), leaves_body)) return false;
    const source_function* const f = function_of(old_functions_, old_, was);
    const source_function* const g = function_of(new_functions_, new_, is);
    return f != nullptr && g != nullptr && is_plain(*g, words_) && add(*f);
  }

  bool add_body(std::string_view token) {
    if (old_functions_.empty()) old_functions_ = source_functions(old_text_);
    const source_function* const f = around(old_functions_, token.data(), token.data());
    return f != nullptr && add(*f);
  }

  bool add(const source_function& f) {
    const auto is_it = [&](const source_function& known) { return known.body.data() == f.body.data(); };
    if (std::any_of(bodies_.begin(), bodies_.end(), is_it)) return true;
    if (!is_plain(f, words_)) return false;
    bodies_.push_back(f);
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
    return words_.of_lines.contains(t.text()) || (t.calls_macro && is_unknown_macro(t.text(), words_.macros));
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
  std::vector<source_function> bodies_;
};

/// A macro, the words of what it is defined as, and those of them that parentheses follow.
struct definition {
  std::string_view name;
  std::vector<std::string_view> body, calls;
};

void add_definitions(std::string_view text, std::vector<definition>& to) {
  const std::vector<cxx_token> tokens = cxx_tokens(text);
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    const bool begins_line = i == 0 || tokens[i - 1].last_line != tokens[i].line;
    if (tokens[i].text != "#" || !begins_line || tokens[i + 1].text != "define") continue;
    definition& made = to.emplace_back(definition{tokens[i + 2].text, {}, {}});
    std::uint32_t line = tokens[i].line;
    for (i += 3; i < tokens.size() && tokens[i].line <= line; ++i) {
      const bool ends_line = i + 1 == tokens.size() || tokens[i + 1].line > tokens[i].line;
      if (tokens[i].text == "\\" && ends_line) ++line;
      if (!is_word(tokens[i].text)) continue;
      made.body.push_back(tokens[i].text);
      if (!ends_line && tokens[i + 1].text == "(") made.calls.push_back(tokens[i].text);
    }
    --i;
  }
}

}  // namespace

known_words read_words(std::span<const std::string> texts) {
  std::vector<definition> definitions;
  known_words known;
  for (const std::string& text : texts) {
    if (text.find("define") != std::string::npos) add_definitions(text, definitions);
    known.asks_callers = known.asks_callers || std::any_of(of_callers.begin(), of_callers.end(), [&](auto word) {
                           return text.find(word) != std::string::npos;
                         });
  }
  for (const definition& d : definitions) known.macros.emplace(d.name);
  known.of_lines = {"__LINE__", "__TIMESTAMP__"};
  known.of_lines.insert(of_callers.begin(), of_callers.end());
  known.of_compilers.insert(compilers.begin(), compilers.end());
  for (bool grows = true; std::exchange(grows, false);)
    for (const definition& d : definitions) {
      const auto comes_to = [&](const known_words::words& words) {
        return std::any_of(d.body.begin(), d.body.end(), [&](std::string_view word) { return words.contains(word); });
      };
      const bool calls_unknown = std::any_of(
          d.calls.begin(), d.calls.end(), [&](std::string_view word) { return is_unknown_macro(word, known.macros); });
      if ((calls_unknown || comes_to(known.of_lines)) && known.of_lines.emplace(d.name).second) grows = true;
      if (comes_to(known.of_compilers) && known.of_compilers.emplace(d.name).second) grows = true;
    }
  return known;
}

text_difference compare_texts(std::string_view old_text, std::string_view new_text, std::span<const git::hunk> hunks,
                              const known_words& words) {
  auto bodies = text_comparison(old_text, new_text, words).run(hunks);
  return bodies ? text_difference{true, std::move(*bodies)} : text_difference{};
}

}  // namespace morph::build
