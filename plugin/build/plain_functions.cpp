// Reads what stands before a brace, token by token.
#include "plugin/build/plain_functions.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "plugin/build/cxx_tokens.hpp"

namespace morph::build {
namespace {

constexpr std::array<std::string_view, 35> never_in_heads{
    "struct",  "class",  "union",    "enum",          "namespace", "concept",   "extern",   "auto",   "decltype",
    "typedef", "using",  "requires", "alignas",       "try",       "catch",     "if",       "for",    "while",
    "switch",  "return", "do",       "else",          "case",      "default",   "new",      "delete", "goto",
    "throw",   "sizeof", "alignof",  "static_assert", "co_await",  "co_return", "co_yield", "this"};

constexpr std::array<std::string_view, 13> never_names{"explicit", "noexcept", "int",   "void",     "bool",
                                                       "char",     "long",     "short", "unsigned", "float",
                                                       "double",   "const",    "signed"};

template <std::size_t Size>
bool is_of(std::string_view word, const std::array<std::string_view, Size>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class head_reader {
 public:
  head_reader(std::string_view head, const known_words& words) : all_(cxx_tokens(head)), words_(words) {}

  std::string_view read() {
    while (text() == "template")
      if (!skip_angles(++at_)) return {};
    while (text(1) == ":" && text(2) != ":" && is_word(text())) at_ += 2;  // public:
    if (!skip_attributes()) return {};
    const std::string_view name = read_name();
    if (name.empty() || !skip_parentheses() || !read_tail()) return {};
    return name;
  }

 private:
  std::string_view text(std::size_t ahead = 0) const {
    return at_ + ahead < all_.size() ? all_[at_ + ahead].text : std::string_view();
  }
  bool is_at_end() const { return at_ >= all_.size(); }

  /// Of words that stand apart from arguments.
  bool is_plain(std::string_view word) const {
    return !is_of(word, never_in_heads) && !words_.of_compilers.contains(word) && !word.starts_with("__") &&
           (!is_in_capitals(word) || words_.macros.contains(word) || word == "FILE");
  }

  bool skip(std::string_view opens, std::string_view closes) {
    if (text() != opens) return false;
    for (int depth = 0; !is_at_end(); ++at_) {
      const std::string_view now = text();
      if (words_.of_compilers.contains(now) || now == "{" || now == "}") return false;
      depth += now == opens ? 1 : now == closes ? -1 : 0;
      if (depth == 0) return ++at_, true;
    }
    return false;
  }
  bool skip_parentheses() { return skip("(", ")"); }
  /// Comparisons in them stand in parentheses.
  bool skip_angles(std::size_t& at) {
    at_ = at;
    if (text() != "<") return false;
    for (int depth = 0; !is_at_end();) {
      const std::string_view now = text();
      if (now == "(") {
        if (!skip_parentheses()) return false;
        continue;
      }
      if (words_.of_compilers.contains(now) || now == ";") return false;
      const bool is_arrow = now == ">" && at_ > 0 && all_[at_ - 1].text == "-";
      depth += now == "<" ? 1 : now == ">" && !is_arrow ? -1 : 0;
      ++at_;
      if (depth == 0) return true;
    }
    return false;
  }
  bool skip_attributes() {
    while (text() == "[" && text(1) == "[")
      if (!skip("[", "]")) return false;
    return true;
  }

  /// Up to the parenthesis of the arguments.
  std::string_view read_name() {
    std::string_view last;
    while (!is_at_end()) {
      const std::string_view now = text();
      if (now == "(") break;
      if (now == "operator") return read_operator();
      if (now == "<") {
        if (!skip_angles(at_)) return {};
        last = {};
        continue;
      }
      if (is_word(now) ? !is_plain(now) : now != ":" && now != "*" && now != "&" && now != "~") return {};
      if (now == ":" && text(1) != ":" && (at_ == 0 || all_[at_ - 1].text != ":")) return {};
      last = is_word(now) ? now : std::string_view();
      ++at_;
    }
    // What a macro makes may be called anything.
    return last.empty() || is_of(last, never_names) || words_.macros.contains(last) || is_in_capitals(last) ||
                   words_.said_apart.contains(last)
               ? std::string_view()
               : last;
  }

  /// Conversions, literals and operators in pieces are called otherwise in symbols.
  std::string_view read_operator() {
    const std::size_t first = at_++;
    if (text() == "(" && text(1) == ")") at_ += 2;
    while (!is_at_end() && text() != "(" && !is_word(text()) && text().size() == 1) ++at_;
    for (std::size_t i = first + 1; i < at_; ++i)
      if (all_[i - 1].text.data() + all_[i - 1].text.size() != all_[i].text.data()) return {};
    return at_ == first + 1 || text() != "(" ? std::string_view() : text_between(all_[first].text, all_[at_ - 1].text);
  }

  /// Behind the arguments.
  bool read_tail() {
    while (!is_at_end()) {
      const std::string_view now = text();
      if (now == "const" || now == "volatile" || now == "override" || now == "final" || now == "&") {
        ++at_;
      } else if (now == "noexcept") {
        ++at_;
        if (text() == "(" && !skip_parentheses()) return false;
      } else if (now == "[") {
        if (text(1) != "[" || !skip_attributes()) return false;
      } else if (now == "-" && text(1) == ">") {
        at_ += 2;
        return read_type();
      } else if (now == ":" && text(1) != ":") {
        ++at_;
        return read_initializers();
      } else {
        return false;
      }
    }
    return true;
  }
  bool read_type() {
    while (!is_at_end()) {
      const std::string_view now = text();
      if (now == "<") {
        if (!skip_angles(at_)) return false;
        continue;
      }
      if (is_word(now) ? !is_plain(now) : now != ":" && now != "*" && now != "&") return false;
      ++at_;
    }
    return true;
  }
  /// The last one may have braces, with which the head ends.
  bool read_initializers() {
    while (!is_at_end()) {
      const std::string_view now = text();
      if (now == "(" || now == "<") {
        if (now == "(" ? !skip_parentheses() : !skip_angles(at_)) return false;
        continue;
      }
      if (is_word(now) ? !is_plain(now) : now != ":" && now != "," && now != ".") return false;
      ++at_;
    }
    return true;
  }

  std::vector<cxx_token> all_;
  std::size_t at_ = 0;
  const known_words& words_;
};

}  // namespace

std::string_view plain_name_of(const source_function& function, const known_words& words) {
  if (function.is_cut || words.puts_callees) return {};
  return head_reader(function.head, words).read();
}

}  // namespace morph::build
