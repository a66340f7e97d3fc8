// Counting braces.
#include "plugin/build/source_functions.hpp"

#include <algorithm>
#include <optional>

#include "plugin/build/cxx_tokens.hpp"

namespace morph::build {
namespace {

using tokens = std::vector<cxx_token>;

constexpr std::string_view call_operator = "operator()";

/// With what is called so, up to the parenthesis of its arguments.
std::string_view operator_at(const tokens& all, std::size_t at, std::size_t end) {
  std::size_t last = at;
  while (last + 1 < end && all[last + 1].text != "(") ++last;
  if (last == at) return call_operator;
  return text_between(all[at].text, all[last].text);
}

/// Of the tokens from `first` to `end`, which is a brace; none if no parenthesis stands before it.
std::optional<source_function> begin_function(const tokens& all, std::size_t first, std::size_t end) {
  source_function found;
  std::size_t depth = 0;
  bool has_arguments = false, is_plain = true, wants_argument = true;
  for (std::size_t i = first; i < end; ++i) {
    const std::string_view text = all[i].text;
    if (text == "(") {
      if (depth++ == 0 && i > first && is_word(all[i - 1].text)) found.names.push_back(all[i - 1].text);
    } else if (text == ")") {
      if (depth > 0 && --depth == 0) has_arguments = true;
    } else if (depth == 0 && text == "operator") {
      found.names.push_back(operator_at(all, i, end));
      i += found.names.back() == call_operator ? 2 : 0;
    } else if (depth > 0 && !has_arguments && is_plain) {
      const bool is_comma = text == ",";
      is_plain = depth == 1 && is_comma != wants_argument && (is_comma || is_word(text) || text.ends_with('"'));
      if (is_plain && !is_comma) found.arguments.push_back(text);
      wants_argument = is_comma;
    }
  }
  if (!has_arguments) return std::nullopt;
  if (!is_plain) found.arguments.clear();
  found.first_line = all[first].line;
  found.head = text_between(all[first].text, all[end - 1].text);
  found.body = all[end].text;
  return found;
}

class function_scan {
 public:
  explicit function_scan(std::string_view text) : all_(cxx_tokens(text)) {}

  std::vector<source_function> run() {
    while (at_ < all_.size())
      if (starts_directive())
        directive();
      else
        token();
    return std::move(found_);
  }

 private:
  struct place {
    std::optional<std::size_t> header;  // the token with which what stands before a brace begins
    std::optional<source_function> function;
    std::size_t braces = 0;  // open ones in the function
    bool is_cut = false;     // a directive stands in what the header is a part of
  };
  struct branch {
    place before;           // as it was at the #if
    std::size_t found = 0;  // how many functions had ended there
  };

  bool starts_directive() const { return all_[at_].text == "#" && begins_line(all_, at_); }

  void directive() {
    const std::string_view what = at_ + 1 < all_.size() ? all_[at_ + 1].text : std::string_view();
    if (what.starts_with("if")) branches_.push_back({now_, found_.size()});
    if ((what.starts_with("el") || what == "endif") && !branches_.empty()) {
      cut_by(branches_.back());
      if (what == "endif")
        branches_.pop_back();
      else
        now_ = branches_.back().before;
    }
    for (++at_; at_ < all_.size() && !begins_line(all_, at_);) ++at_;
    if (now_.function) return;
    now_.is_cut = now_.is_cut || now_.header;
    now_.header.reset();
  }

  /// What began before the branch and did not end, or began in it and goes on behind it, has other braces without it.
  void cut_by(branch& of) {
    const auto begin_of = [](const place& p) { return p.function ? p.function->body.data() : nullptr; };
    if (begin_of(now_) == begin_of(of.before) && now_.braces == of.before.braces) return;
    for (std::size_t i = of.found; i < found_.size(); ++i) found_[i].is_cut = true;
    for (place* const p : {&now_, &of.before}) {
      p->is_cut = true;
      if (p->function) p->function->is_cut = true;
    }
  }

  void token() {
    const std::string_view text = all_[at_].text;
    if (now_.function) {
      if (text == "{") ++now_.braces;
      if (text == "}" && --now_.braces == 0) end_function();
    } else if (text == "{") {
      if (now_.header) now_.function = begin_function(all_, *now_.header, at_);
      if (now_.function) now_.function->is_cut = now_.is_cut;
      now_.braces = now_.function ? 1 : 0;
      now_.header.reset();
      now_.is_cut = false;
    } else if (text == ";" || text == "}") {
      now_.header.reset();
      now_.is_cut = false;
    } else if (!now_.header) {
      now_.header = at_;
    }
    ++at_;
  }

  // Behind the braces of a member's initializer the function goes on.
  void end_function() {
    const std::string_view next = at_ + 1 < all_.size() ? all_[at_ + 1].text : std::string_view();
    if (next == "," || next == "{") return;
    now_.function->last_line = all_[at_].line;
    now_.function->body = text_between(now_.function->body, all_[at_].text);
    found_.push_back(std::move(*now_.function));
    now_.function.reset();
  }

  tokens all_;
  std::size_t at_ = 0;
  place now_;
  std::vector<branch> branches_;  // each open #if
  std::vector<source_function> found_;
};

}  // namespace

bool has_word(std::string_view name, std::string_view word) {
  for (auto at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_word_character(name[at - 1]);
    if (begins && (end == name.size() || !is_word_character(name[end]))) return true;
  }
  return false;
}

std::vector<source_function> source_functions(std::string_view text) {
  return function_scan(text).run();
}

bool may_be(const source_function& function, std::string_view demangled) {
  const bool is_lambda = demangled.find("lambda") != std::string_view::npos;
  if (std::any_of(function.names.begin(), function.names.end(), [&](std::string_view name) {
        return has_word(demangled, name) && !(is_lambda && name == call_operator);
      }))
    return true;
  if (function.arguments.empty()) return false;
  const std::string_view first = function.arguments.front();
  if (first.ends_with('"')) return first.size() > 2 && demangled.find(first) != std::string_view::npos;
  if (has_word(demangled, first)) return true;
  if (function.arguments.size() < 2) return false;
  const std::string of_test = std::string(first) + "_" + std::string(function.arguments[1]) + "_Test";
  return has_word(demangled, of_test);
}

}  // namespace morph::build
