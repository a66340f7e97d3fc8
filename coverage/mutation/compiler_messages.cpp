// Patterns of messages, and the parser that puts them together.
#include "coverage/mutation/compiler_messages.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>

namespace morph::mutation {
namespace {

void for_each_line(std::string_view text, const std::function<void(std::string_view)>& take) {
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    take(line);
    at = end + 1;
  }
}

/// Takes `:` and a number from the front.
std::optional<std::uint32_t> take_number(std::string_view& text) {
  std::uint32_t number = 0;
  if (!text.starts_with(':')) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

struct placed_line {
  message_place at;
  std::string_view text;  // behind the place
};

/// "FILE:LINE:COLUMN: text", "FILE:LINE: text". Lines of people's sources are long: no regular expression reads them.
std::optional<placed_line> read_place(std::string_view line) {
  if (line.empty() || line.front() == ' ' || line.front() == '\t') return std::nullopt;
  const auto colon = line.find(':');
  if (colon == 0 || colon == std::string_view::npos) return std::nullopt;
  // "/usr/bin/ld: FILE:LINE: ..."
  if (line.substr(colon).starts_with(": ")) return read_place(line.substr(colon + 2));
  std::string_view rest = line.substr(colon);
  placed_line found{{std::string(line.substr(0, colon)), 0, 0}, {}};
  const auto number = take_number(rest);
  if (!number || found.at.file.starts_with("In file included from ")) return std::nullopt;
  found.at.line = *number;
  found.at.column = take_number(rest).value_or(0);
  if (!rest.starts_with(": ")) return std::nullopt;
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t", 1), rest.size()));
  found.text = rest;
  return found;
}

/// "    inlined from 'int f()' at FILE:LINE:COLUMN," of GCC.
std::optional<placed_line> read_inlining(std::string_view line) {
  const auto begin = line.find_first_not_of(' ');
  if (begin == std::string_view::npos || !line.substr(begin).starts_with("inlined from ")) return std::nullopt;
  const auto at = line.rfind(" at ");
  if (at == std::string_view::npos) return std::nullopt;
  std::string place(line.substr(at + 4));
  while (!place.empty() && (place.back() == ',' || place.back() == ':')) place.pop_back();
  auto found = read_place(place + ": ");
  if (found) found->text = line.substr(begin, at - begin);
  return found;
}

/// Between the first and the last quotation mark, of whichever kind: "In function 'int f()':".
std::string quoted(std::string_view text) {
  static constexpr std::string_view opening = "‘", closing = "’";
  auto begin = text.find(opening);
  auto end = text.rfind(closing);
  if (begin != std::string_view::npos && end != std::string_view::npos)
    return std::string(text.substr(begin + opening.size(), end - begin - opening.size()));
  begin = text.find_first_of("'`\"");
  end = text.find_last_of("'\"");
  if (begin == std::string_view::npos || end == std::string_view::npos || end <= begin) return {};
  return std::string(text.substr(begin + 1, end - begin - 1));
}

/// What follows in text, if one of these stands in front.
std::optional<std::string_view> behind(std::string_view text, std::initializer_list<std::string_view> fronts) {
  for (const std::string_view front : fronts)
    if (text.starts_with(front)) return text.substr(front.size());
  return std::nullopt;
}

constexpr std::string_view ice = "internal compiler error: ";

class error_reader {
 public:
  void take(std::string_view line) {
    if (take_function(line) || take_crash_of_clang(line)) return;
    if (const auto caller = read_inlining(line)) {
      asked_.push_back(caller->at);
      functions_.push_back(quoted(caller->text));
      return;
    }
    if (const auto placed = read_place(line)) return take_placed(*placed);
    if (line.starts_with(">>> referenced by ")) return take_reference(line);
    // "a.cpp:(.text+0x5): undefined reference to `g()'"
    for (const std::string_view text : {"): undefined reference to ", "): multiple definition of "})
      if (const auto at = line.find(text); at != std::string_view::npos) return add({}, line.substr(at + 3));
    // "cc1plus: error: ...", "{standard input}: Error: ..."
    if (line.starts_with(' ') || line.starts_with("ninja: ") || line.starts_with("make")) return;
    for (const std::string_view mark : {": error: ", ": fatal error: ", ": Error: ", ": internal compiler error: "})
      if (const auto at = line.find(mark); at != std::string_view::npos) {
        const std::string_view text = line.substr(at + mark.size());
        if (text.starts_with("ld returned ") || text.starts_with("linker command failed")) return;
        return add({}, text, mark == ": internal compiler error: ");
      }
  }

  std::vector<compiler_error> errors;

 private:
  void add(std::vector<message_place> at, std::string_view text, bool is_crash = false) {
    compiler_error& error = errors.emplace_back();
    error.text = text;
    error.places = std::move(at);
    error.places.insert(error.places.end(), asked_.begin(), asked_.end());
    error.functions = functions_;
    error.is_crash = is_crash;
    asked_.clear();
  }

  /// "In member function 'void a::f()':", "x.o: in function `f()':", "In function 'f', inlined from ..."
  bool take_function(std::string_view line) {
    if (line.ends_with("At global scope:")) functions_.clear();
    if (!line.ends_with(':') && !line.ends_with(',')) return false;
    const bool is_in = line.starts_with("In ") || line.find(": In ") != std::string_view::npos ||
                       line.find(": in function ") != std::string_view::npos;
    const bool is_of_code = line.find("function ") != std::string_view::npos ||
                            line.find("structor ") != std::string_view::npos ||
                            line.find("lambda") != std::string_view::npos;
    const std::string name = is_in && is_of_code ? quoted(line) : std::string();
    if (name.empty()) return false;
    functions_ = {name};
    return true;
  }

  /// "2.\ta.cpp:3:5: parsing function body 'f'"
  bool take_crash_of_clang(std::string_view line) {
    const auto tab = line.find(".\t");
    if (tab == 0 || tab == std::string_view::npos || line.find_first_not_of("0123456789") != tab) return false;
    const auto placed = read_place(line.substr(tab + 2));
    if (!placed) return false;
    functions_ = {quoted(placed->text)};
    add({placed->at}, placed->text, true);
    return true;
  }

  void take_placed(const placed_line& line) {
    if (const auto crash = behind(line.text, {ice})) return add({line.at}, *crash, true);
    if (const auto text = behind(line.text, {"error: ", "fatal error: ", "Error: "})) return add({line.at}, *text);
    if (line.text.starts_with("undefined reference to ") || line.text.starts_with("multiple definition of "))
      return add({line.at}, line.text);
    // GCC says it before the error, Clang behind it.
    if (line.text.starts_with("required ") || line.text.starts_with("recursively required ")) {
      asked_.push_back(line.at);
    } else if (line.text.starts_with("note: ") && !errors.empty() &&
               (line.text.ends_with("requested here") || line.text.starts_with("note: in expansion of macro ") ||
                line.text.starts_with("note: expanded from macro ") || line.text.starts_with("note: called by "))) {
      errors.back().places.push_back(line.at);
    }
  }

  /// Of lld: ">>> referenced by a.cpp:5 (src/a.cpp:5)".
  void take_reference(std::string_view line) {
    const auto open = line.rfind('('), close = line.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open || errors.empty()) return;
    if (const auto placed = read_place(std::string(line.substr(open + 1, close - open - 1)) + ": "))
      errors.back().places.push_back(placed->at);
  }

  std::vector<message_place> asked_;
  std::vector<std::string> functions_;
};

bool begins_step_of_ninja(std::string_view line) {
  if (!line.starts_with('[')) return false;
  const auto slash = line.find_first_not_of("0123456789", 1);
  return slash > 1 && slash != std::string_view::npos && line[slash] == '/';
}

/// "make[2]: *** [a/CMakeFiles/x.dir/build.make:76: a/CMakeFiles/x.dir/x.cpp.o] Error 1"
std::optional<failed_step> failed_rule(std::string_view line) {
  const auto open = line.find(": *** ["), close = line.rfind("] ");
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
  const std::string_view rule = line.substr(open + 7, close - open - 7);
  const auto colon = rule.rfind(": ");
  const auto made = rule.find("/build.make:");
  if (colon == std::string_view::npos || made == std::string_view::npos || made > colon) return std::nullopt;
  return failed_step{std::string(rule.substr(colon + 2)), std::string(rule.substr(0, made + 1)), {}};
}

}  // namespace

std::vector<compiler_error> read_errors(std::string_view messages) {
  error_reader reader;
  for_each_line(messages, [&](std::string_view line) { reader.take(line); });
  return std::move(reader.errors);
}

std::vector<std::vector<message_place>> errors_in(const std::string& messages) {
  std::vector<std::vector<message_place>> found;
  for (compiler_error& error : read_errors(messages))
    if (!error.is_crash && !error.places.empty()) found.push_back(std::move(error.places));
  return found;
}

std::vector<message_place> crashes_in(const std::string& messages) {
  std::vector<message_place> found;
  for (const compiler_error& error : read_errors(messages))
    if (error.is_crash && !error.places.empty()) found.push_back(error.places.front());
  return found;
}

std::vector<failed_step> failed_steps_in(std::string_view log) {
  std::vector<failed_step> steps;
  std::string said;         // since the last step of Makefiles began
  bool is_in_step = false;  // of Ninja
  bool has_command = false;
  for_each_line(log, [&](std::string_view line) {
    if (line.starts_with("FAILED: ")) {
      std::string_view outputs = line.substr(8);
      if (outputs.starts_with("[code=")) outputs.remove_prefix(std::min(outputs.find("] ") + 2, outputs.size()));
      steps.push_back({std::string(outputs.substr(0, outputs.find(' '))), {}, {}});
      is_in_step = true;
      has_command = false;
    } else if (is_in_step && (begins_step_of_ninja(line) || line.starts_with("ninja: "))) {
      is_in_step = false;
    } else if (is_in_step && !has_command) {
      steps.back().command = line;
      has_command = true;
    } else if (is_in_step) {
      steps.back().text.append(line).append("\n");
    } else if (auto rule = failed_rule(line)) {
      rule->text = std::move(said);
      said.clear();
      steps.push_back(std::move(*rule));
    } else if (line.starts_with('[') && line.find("%] ") < 6) {
      said.clear();
    } else {
      said.append(line).append("\n");
    }
  });
  if (steps.empty()) steps.push_back({{}, {}, std::string(log)});
  return steps;
}

}  // namespace morph::mutation
