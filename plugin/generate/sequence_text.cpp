// Printing and parsing, which mirror each other.
#include "plugin/generate/sequence_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "plugin/generate/fitting.hpp"

namespace morph::generate {
namespace {

constexpr std::string_view format_line = "morph generate sequences 1";
constexpr std::string_view arrow = " <- ";
constexpr int most_nested = 8;  // of lists

/// By number: the signature, told apart from others with as many arguments.
std::vector<std::string> names_of(const api& of) {
  std::map<std::pair<std::string, std::size_t>, int> seen;
  std::vector<std::string> made;
  for (const callable& each : of.callables) {
    const int count = ++seen[{each.signature, each.slots.size()}];
    made.push_back(count == 1 ? each.signature : fmt::format("{} #{}", each.signature, count));
  }
  return made;
}

std::string quoted_bytes(const std::string& text) {
  std::string made = "\"";
  for (const char c : text) {
    if (c == '\n')
      made += "\\n";
    else if (c == '\t')
      made += "\\t";
    else if (c == '"' || c == '\\')
      made += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f)
      made += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      made += c;
  }
  return made + '"';
}

std::string text_of(std::uint32_t number, const literal_table& literals) {
  const literal& of = literals[number];
  if (of.kind == 'i') return fmt::format("{}", of.number);
  if (of.kind == 's') return quoted_bytes(of.text);
  if (of.kind == 'd') {
    const std::string made = fmt::format("{}", of.real);
    return made.find_first_of(".en") == std::string::npos ? made + ".0" : made;
  }
  std::string made = "[";
  for (std::size_t i = 0; i < of.elements.size(); ++i) made += (i == 0 ? "" : ", ") + text_of(of.elements[i], literals);
  return made + ']';
}

/// What stands between two commas.
class line_reader {
 public:
  line_reader(std::string_view text, literal_table& literals) : text_(text), literals_(literals) {}

  bool at_end() const { return at_ == text_.size(); }
  std::string_view rest() const { return text_.substr(at_); }
  bool skip(std::string_view what) {
    if (!text_.substr(at_).starts_with(what)) return false;
    at_ += what.size();
    return true;
  }

  /// Of "v12".
  std::optional<std::uint32_t> name() {
    std::uint32_t number = 0;
    if (!text_.substr(at_).starts_with("v")) return std::nullopt;
    const auto [end, error] = std::from_chars(text_.data() + at_ + 1, text_.data() + text_.size(), number);
    if (error != std::errc()) return std::nullopt;
    at_ = static_cast<std::size_t>(end - text_.data());
    return number;
  }

  std::optional<std::uint32_t> literal_number(int depth = 0) {
    if (depth > most_nested) return std::nullopt;
    if (skip("\"")) return text();
    if (skip("[")) return list(depth);
    return number();
  }

 private:
  std::optional<std::uint32_t> text() {
    std::string made;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] != '\\') {
        made += text_[at_++];
      } else if (skip("\\n")) {
        made += '\n';
      } else if (skip("\\t")) {
        made += '\t';
      } else if (skip("\\x")) {
        unsigned byte = 0;
        const auto digits = text_.substr(at_, 2);
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
        if (error != std::errc() || end != digits.data() + 2) return std::nullopt;
        made += static_cast<char>(byte);
        at_ += 2;
      } else if (at_ + 1 < text_.size()) {
        made += text_[at_ + 1];
        at_ += 2;
      } else {
        return std::nullopt;
      }
    }
    if (!skip("\"")) return std::nullopt;
    return literals_.add({.kind = 's', .text = std::move(made)});
  }

  std::optional<std::uint32_t> list(int depth) {
    literal made{.kind = 'l'};
    while (!skip("]")) {
      if (!made.elements.empty() && !skip(", ")) return std::nullopt;
      const auto element = literal_number(depth + 1);
      if (!element) return std::nullopt;
      made.elements.push_back(*element);
    }
    return literals_.add(std::move(made));
  }

  std::optional<std::uint32_t> number() {
    const auto word = text_.substr(at_, text_.find_first_of(",]", at_) - at_);
    literal made;
    std::from_chars_result read{};
    if (word.find_first_of(".en") == std::string_view::npos) {
      read = std::from_chars(word.data(), word.data() + word.size(), made.number);
    } else {
      made.kind = 'd';
      read = std::from_chars(word.data(), word.data() + word.size(), made.real);
    }
    if (word.empty() || read.ec != std::errc() || read.ptr != word.data() + word.size()) return std::nullopt;
    if (!std::isfinite(made.real)) return std::nullopt;
    at_ += word.size();
    return literals_.add(std::move(made));
  }

  std::string_view text_;
  literal_table& literals_;
  std::size_t at_ = 0;
};

class sequence_reader {
 public:
  sequence_reader(const api& of, literal_table& literals) : of_(of), literals_(literals) {
    const auto names = names_of(of);
    for (std::uint32_t i = 0; i < names.size(); ++i) numbers_[{names[i], of.callables[i].slots.size()}] = i;
  }

  result<read_sequences> read(std::string_view text) {
    std::size_t number = 0;
    while (!text.empty()) {
      const auto end = std::min(text.find('\n'), text.size() - 1);
      if (text[end] != '\n') return failure(number + 1, "the line has no end");
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(end + 1);
      if (++number == 1) {
        if (line != format_line) return failure(number, fmt::format("not '{}'", format_line));
      } else if (line.empty()) {
        finish();
      } else if (!add(line)) {
        return failure(number, "no call of a sequence");
      }
    }
    if (number == 0) return failure(1, "it is empty");
    finish();
    return std::move(made_);
  }

 private:
  static tl::unexpected<std::string> failure(std::size_t line, const std::string& why) {
    return tl::unexpected(fmt::format("line {}: {}", line, why));
  }

  void finish() {
    if (!now_.empty()) made_.all.push_back(std::move(now_));
    now_.clear();
    names_.clear();
    unknown_.clear();
  }

  bool add(std::string_view line) {
    std::optional<std::uint32_t> name;
    line_reader head(line, literals_);
    if (const auto number = head.name(); number && head.skip(" = ")) {
      name = number;
      line = head.rest();
    }
    const auto at = line.find(arrow);
    call made;
    bool is_known = true;
    if (at != line.npos) {
      line_reader rest(line.substr(at + arrow.size()), literals_);
      while (!rest.at_end()) {
        if (!made.arguments.empty() && !rest.skip(", ")) return false;
        const auto read = argument_of(rest, is_known);
        if (!read) return false;
        made.arguments.push_back(*read);
      }
    }
    const auto found = numbers_.find({std::string(line.substr(0, at)), made.arguments.size()});
    is_known = is_known && found != numbers_.end();
    if (is_known) {
      made.callable = found->second;
      is_known = fits(made, now_, of_, literals_);
    }
    if (name) (is_known ? names_ : unknown_)[*name] = static_cast<std::uint32_t>(now_.size());
    if (is_known)
      now_.push_back(std::move(made));
    else
      ++made_.dropped;
    return true;
  }

  std::optional<argument> argument_of(line_reader& from, bool& is_known) const {
    if (const auto name = from.name()) {
      const auto at = names_.find(*name);
      if (at != names_.end()) return argument{morph_argument_value, at->second};
      is_known = false;
      return unknown_.contains(*name) ? std::optional(argument{}) : std::nullopt;
    }
    // A number may begin with the same sign.
    if (const auto number = from.literal_number()) return argument{morph_argument_literal, *number};
    if (from.skip("-")) return argument{morph_argument_nothing, 0};
    return std::nullopt;
  }

  const api& of_;
  literal_table& literals_;
  std::map<std::pair<std::string, std::size_t>, std::uint32_t> numbers_;
  sequence now_;
  std::map<std::uint32_t, std::uint32_t> names_, unknown_;
  read_sequences made_;
};

}  // namespace

std::string printed(const std::vector<sequence>& all, const api& of, const literal_table& literals) {
  const auto names = names_of(of);
  std::string text = fmt::format("{}\n", format_line);
  for (std::size_t s = 0; s < all.size(); ++s) {
    if (s > 0) text += '\n';
    for (std::size_t i = 0; i < all[s].size(); ++i) {
      const call& each = all[s][i];
      if (of.callables[each.callable].gives) text += fmt::format("v{} = ", i);
      text += names[each.callable];
      for (std::size_t a = 0; a < each.arguments.size(); ++a) {
        const argument& one = each.arguments[a];
        text += a == 0 ? std::string(arrow) : ", ";
        text += one.kind == morph_argument_value     ? fmt::format("v{}", one.number)
                : one.kind == morph_argument_literal ? text_of(one.number, literals)
                                                     : "-";
      }
      text += '\n';
    }
  }
  return text;
}

result<read_sequences> parsed(std::string_view text, const api& of, literal_table& literals) {
  return sequence_reader(of, literals).read(text);
}

}  // namespace morph::generate
