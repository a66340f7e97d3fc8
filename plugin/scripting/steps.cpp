// Expands variables, loops and calls of scripts.
#include "plugin/scripting/steps.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "plugin/system/seed.hpp"

namespace morph::scripting {
namespace {

namespace fs = std::filesystem;

constexpr const char* script_words = "morph, set, repeat, end, in, play, try";

template <typename Number>
std::optional<Number> number_in(const std::string& text) {
  Number number{};
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

/// The script that is being played, and the ones that play it.
struct frame {
  fs::path file;
  std::string name;  // as errors show it
  const frame* by = nullptr;
  std::size_t line = 0;  // of `by`, where it is played

  script_variables values{};
  std::set<std::string> given{};  // what `set` leaves as it is
  std::set<std::string> used{};
  std::set<std::string> counters{};  // of `repeat ... as`
  std::uint64_t seed = 1;
  bool may_fail = false;
};

class expander {
 public:
  expander(const fs::path& top, const script_world& world) : top_(top.parent_path()), world_(world) {}

  /// False: there is an error.
  bool play(frame& of) {
    const auto text = world_.read(of.file);
    if (!text) return of.by == nullptr ? fail(text.error()) : fail(*of.by, of.line, text.error());
    const auto lines = read_script(*text);
    if (!lines) return fail(of, lines.error().line, lines.error().what);
    fs::path folder = of.file.parent_path();
    if (!run(of, *lines, 0, lines->size(), folder)) return false;
    for (const std::string& name : of.given)
      if (of.used.count(name) == 0) {
        const std::string what = fmt::format(
            "{} has no variable '{}'{}", of.name, name,
            of.used.empty() ? "; it has none at all" : fmt::format("; it has {}", fmt::join(of.used, ", ")));
        return of.by == nullptr ? fail(what) : fail(*of.by, of.line, what);
      }
    return true;
  }

  std::string shown(const fs::path& file) const {
    const fs::path relative = file.lexically_relative(top_);
    return relative.empty() ? file.string() : relative.string();
  }

  std::vector<script_step> steps;
  std::string error;

 private:
  bool fail(const std::string& what) { return error = what, false; }
  bool fail(const frame& of, std::size_t line, const std::string& what) {
    error = fmt::format("{}:{}: {}", of.name, line, what);
    for (const frame* each = &of; each->by != nullptr; each = each->by)
      error += fmt::format("\n  {} is played by {}:{}", each->name, each->by->name, each->line);
    return false;
  }

  bool run(frame& of, const std::vector<script_line>& lines, std::size_t from, std::size_t to, fs::path& folder) {
    for (std::size_t i = from; i < to; ++i) {
      const script_line& line = lines[i];
      std::vector<std::string> words;
      if (!begins_with_a_word(of, line) || !values_of(of, line, words)) return false;
      const bool tries = words.front() == "try";
      if (tries) words.erase(words.begin());
      if (words.empty())
        return fail(of, line.number, "`try` needs the command that may fail, such as `try morph spec check`");
      if (!run_line(of, lines, i, words, tries, folder)) return false;
      if (words.front() == "repeat") i = line.ends_at;
    }
    return true;
  }

  /// What a line does is read where its `repeat` is closed, before variables have values.
  bool begins_with_a_word(const frame& of, const script_line& line) {
    const std::string* const first = literal(line.words.front());
    const bool tries = first != nullptr && *first == "try" && line.words.size() > 1;
    const script_word& verb = line.words[tries ? 1 : 0];
    if (literal(verb) != nullptr) return true;
    std::string shown;
    for (const word_piece& piece : verb) shown += piece.is_variable ? "${" + piece.text + "}" : piece.text;
    return fail(of, line.number,
                fmt::format("a line begins with a word, not with a variable: expected in place of '{}' is one of {}",
                            shown, script_words));
  }

  bool run_line(frame& of, const std::vector<script_line>& lines, std::size_t i, const std::vector<std::string>& words,
                bool tries, fs::path& folder) {
    const std::size_t line = lines[i].number;
    const std::string& verb = words.front();
    const bool is_step = verb == "morph" || is_command(verb);
    if (verb == "play") return play_other(of, line, words, folder, of.may_fail || tries);
    if (is_step) return add_step(of, line, words, folder, of.may_fail || tries);
    if (tries) return fail(of, line, fmt::format("`try` stands before a command, not before '{}'", verb));
    if (verb == "set") return set(of, line, words);
    if (verb == "in") return change_folder(of, line, words, folder);
    if (verb == "repeat") return repeat(of, lines, i, words, folder);
    return fail(of, line,
                fmt::format("'{}' is no command of a script; a line begins with one of {}", verb, script_words));
  }

  bool is_command(const std::string& word) const {
    return std::find(world_.commands.begin(), world_.commands.end(), word) != world_.commands.end();
  }

  bool values_of(frame& of, const script_line& line, std::vector<std::string>& to) {
    for (const script_word& word : line.words) {
      std::string& text = to.emplace_back();
      for (const word_piece& piece : word) {
        if (!piece.is_variable) {
          text += piece.text;
          continue;
        }
        const auto value = of.values.find(piece.text);
        if (value == of.values.end()) {
          std::vector<std::string> known;
          for (const auto& each : of.values) known.push_back(each.first);
          return fail(of, line.number,
                      fmt::format("the variable '{}' has no value here; known are {}. Give it one: `set {} = VALUE` "
                                  "before, or `morph script play --set {}=VALUE`",
                                  piece.text, fmt::join(known, ", "), piece.text, piece.text));
        }
        of.used.insert(piece.text);
        text += value->second;
      }
    }
    return true;
  }

  bool set(frame& of, std::size_t line, const std::vector<std::string>& words) {
    std::string name, value;
    if (words.size() == 4 && words[2] == "=") {
      name = words[1];
      value = words[3];
    } else if (words.size() == 2 && words[1].find('=') != std::string::npos) {
      name = words[1].substr(0, words[1].find('='));
      value = words[1].substr(name.size() + 1);
    } else {
      return fail(of, line, "a variable gets its value by `set NAME = VALUE`, a value of several words in quotes");
    }
    if (!is_variable_name(name)) return fail(of, line, no_name(name, "of a variable"));
    if (name == "seed") return fail(of, line, "`seed` is the seed of the script; `morph script play --seed N` sets it");
    if (of.counters.count(name) != 0)
      return fail(of, line, fmt::format("'{}' counts a `repeat` around this line", name));
    of.used.insert(name);
    if (of.given.count(name) == 0) of.values[name] = value;
    return true;
  }

  static std::string no_name(const std::string& name, const char* of_what) {
    return fmt::format("'{}' is no name {}; it has letters, digits and _, no digit first", name, of_what);
  }

  bool change_folder(const frame& of, std::size_t line, const std::vector<std::string>& words, fs::path& folder) {
    if (words.size() != 2) return fail(of, line, "`in FOLDER` takes one folder, relative to that of the script");
    const fs::path wanted = (of.file.parent_path() / words[1]).lexically_normal();
    std::error_code ignored;
    if (!fs::is_directory(wanted, ignored))
      return fail(of, line, fmt::format("there is no folder '{}' (relative to that of the script)", words[1]));
    folder = wanted;
    return true;
  }

  bool repeat(frame& of, const std::vector<script_line>& lines, std::size_t i, const std::vector<std::string>& words,
              fs::path& folder) {
    const std::size_t line = lines[i].number;
    const bool counts = words.size() == 4 && words[2] == "as";
    if (words.size() != 2 && !counts)
      return fail(of, line, "`repeat` takes a number and a name: `repeat 3`, `repeat 3 as i`");
    const auto times = number_in<std::uint64_t>(words[1]);
    if (!times) return fail(of, line, fmt::format("`repeat` needs a number from 0 on, not '{}'", words[1]));
    const std::string name = counts ? words[3] : "";
    if (counts && (!is_variable_name(name) || name == "seed")) return fail(of, line, no_name(name, "for what counts"));
    if (of.given.count(name) != 0)
      return fail(of, line, fmt::format("'{}' counts here and cannot be given a value with --set", name));
    if (counts && !of.counters.insert(name).second)
      return fail(of, line, fmt::format("'{}' counts the `repeat` around this one; take another name", name));
    const auto before = of.values.find(name) == of.values.end() ? std::nullopt : std::optional(of.values[name]);
    for (std::uint64_t n = 1; n <= *times; ++n) {
      if (++turns_ > most_script_steps) return too_many(of, line);
      if (counts) of.values[name] = std::to_string(n);
      if (!run(of, lines, i + 1, lines[i].ends_at, folder)) return false;
    }
    of.counters.erase(name);
    if (counts) of.values.erase(name);
    if (before) of.values[name] = *before;
    return true;
  }

  bool too_many(const frame& of, std::size_t line) {
    return fail(of, line, fmt::format("the script has more than {} steps or turns of `repeat`", most_script_steps));
  }

  bool play_other(frame& of, std::size_t line, const std::vector<std::string>& words, const fs::path& folder,
                  bool may_fail) {
    frame other{.file = {}, .name = {}, .by = &of, .line = line};
    other.seed = of.seed;
    other.may_fail = may_fail;
    std::string name;
    for (std::size_t w = 1; w < words.size(); ++w) {
      std::string option = words[w], value;
      if (option == "--set" || option == "--seed") {
        if (++w == words.size()) return fail(of, line, fmt::format("{} needs a value", option));
        value = words[w];
      } else if (option.starts_with("--set=") || option.starts_with("--seed=")) {
        value = option.substr(option.find('=') + 1);
        option.resize(option.find('='));
      } else if (option.starts_with("-")) {
        return fail(of, line, fmt::format("a script within a script takes --set and --seed, not '{}'", option));
      } else if (name.empty()) {
        name = option;
        continue;
      } else {
        return fail(of, line, fmt::format("`play` takes one script, not '{}' and '{}'", name, option));
      }
      if (option == "--seed") {
        const auto seed = system::seed_in(value);
        if (!seed) return fail(of, line, "--seed: " + seed.error());
        other.seed = *seed;
      } else {
        const auto read = read_setting(value);
        if (!read) return fail(of, line, read.error());
        other.values[read->first] = read->second;
        other.given.insert(read->first);
      }
    }
    if (name.empty()) return fail(of, line, "`play` needs the name or the path of a script");
    const auto file = world_.find(name, folder);
    if (!file) return fail(of, line, file.error());
    other.file = *file;
    other.name = shown(*file);
    for (const frame* each = &of; each != nullptr; each = each->by)
      if (each->file == *file) return fail(of, line, "the script plays itself: " + chain(*each, of) + other.name);
    other.values["seed"] = std::to_string(other.seed);
    return play(other);
  }

  /// "a.morph -> b.morph -> "
  static std::string chain(const frame& from, const frame& to) {
    std::string names;
    for (const frame* each = &to;; each = each->by) {
      names = each->name + " -> " + names;
      if (each == &from) return names;
    }
  }

  bool add_step(const frame& of, std::size_t line, std::vector<std::string> words, const fs::path& folder,
                bool may_fail) {
    if (words.front() == "morph") words.erase(words.begin());
    const std::string expected = fmt::format("one of {}", fmt::join(world_.commands, ", "));
    if (words.empty()) return fail(of, line, "`morph` needs a command: " + expected);
    if (!is_command(words.front()))
      return fail(of, line, fmt::format("there is no command `morph {}`; expected is {}", words.front(), expected));
    if (words.front() == "script")
      return fail(of, line, "a script plays others by `play NAME`; what else `morph script` does has no place in it");
    if (steps.size() == most_script_steps) return too_many(of, line);
    steps.push_back({of.name, line, std::move(words), folder, may_fail, of.seed});
    return true;
  }

  fs::path top_;
  const script_world& world_;
  std::size_t turns_ = 0;  // of all `repeat`
};

}  // namespace

std::string script_step::text() const {
  return "morph " + script_line_of(words);
}

tl::expected<std::pair<std::string, std::string>, std::string> read_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (equals == std::string::npos || !is_variable_name(name))
    return tl::unexpected(fmt::format("--set takes NAME=VALUE, not '{}'", text));
  if (name == "seed") return tl::unexpected(std::string("`seed` is the seed of the script; --seed N sets it"));
  return std::pair(name, text.substr(equals + 1));
}

tl::expected<std::vector<script_step>, std::string> script_steps(const fs::path& file, const script_variables& given,
                                                                 std::uint64_t seed, const script_world& world) {
  expander all(file, world);
  frame top{.file = file, .name = all.shown(file)};
  top.seed = seed;
  top.values = given;
  top.values["seed"] = std::to_string(seed);
  for (const auto& each : given) top.given.insert(each.first);
  if (!all.play(top)) return tl::unexpected(all.error);
  return std::move(all.steps);
}

}  // namespace morph::scripting
