// Names of states, reasons, places in lines, tallies.
#include "plugin/report/mutation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "plugin/frameworks/junit.hpp"
#include "plugin/system/counted.hpp"

namespace morph::report {
namespace {

constexpr std::array<std::string_view, mutant_states> state_names{"not covered", "survived",   "killed",    "crashed",
                                                                  "timed out",   "equivalent", "not judged"};
constexpr std::array<std::string_view, 3> kind_names{"expression", "statement", "body"};
constexpr std::array<std::string_view, 3> end_names{"finished", "budget", "interrupted"};
constexpr std::array<std::string_view, 4> tested_names{"not covered", "pseudo-tested", "partly tested", "tested"};

template <class Enum, std::size_t Size>
std::optional<Enum> find_name(const std::array<std::string_view, Size>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

/// The length of the character in front, 0 if it is not UTF-8.
std::size_t character(std::string_view text) {
  return static_cast<unsigned char>(text.front()) < 0x80 ? 1 : frameworks::xml_character(text);
}

std::optional<double> part_of(std::size_t part, std::size_t of) {
  if (of == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(of);
}

std::string why_survived(const mutant_result& m) {
  const std::string reached = system::counted(m.covering, "test reaches", "tests reach") + " it";
  switch (difference_of(m)) {
    case difference::none:
      return reached + ", its value differs in none";
    case difference::seen:
      return fmt::format("{}, its value differs in {}, and nobody looks", reached, m.infected);
    case difference::unknown:
      break;
  }
  const std::string where =
      m.unobserved < m.covering ? fmt::format("in {} of them", m.unobserved) : std::string("there");
  return fmt::format("{}; whether it makes a difference {} is not known", reached, where);
}

/// In UTF-16 code units.
std::uint32_t utf16_length(std::string_view text) {
  std::uint32_t units = 0;
  while (!text.empty()) {
    const std::size_t length = character(text);
    units += length == 4 ? 2 : 1;
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return units;
}

std::string_view without_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

std::string_view name_of(mutant_state state) {
  return state_names[static_cast<std::size_t>(state)];
}
std::optional<mutant_state> mutant_state_of(std::string_view name) {
  return find_name<mutant_state>(state_names, name);
}
std::string_view name_of(mutant_kind kind) {
  return kind_names[static_cast<std::size_t>(kind)];
}
std::optional<mutant_kind> mutant_kind_of(std::string_view name) {
  return find_name<mutant_kind>(kind_names, name);
}
std::string_view name_of(run_end end) {
  return end_names[static_cast<std::size_t>(end)];
}
std::optional<run_end> run_end_of(std::string_view name) {
  return find_name<run_end>(end_names, name);
}
std::string_view name_of(tested how) {
  return tested_names[static_cast<std::size_t>(how)];
}
std::optional<tested> tested_of(std::string_view name) {
  return find_name<tested>(tested_names, name);
}

bool is_kill(mutant_state state) {
  return state == mutant_state::killed || state == mutant_state::crashed || state == mutant_state::timed_out;
}

bool is_covered(mutant_state state) {
  return state == mutant_state::survived || is_kill(state);
}

difference difference_of(const mutant_result& m) {
  if (m.infected > 0) return difference::seen;
  return m.unobserved > 0 ? difference::unknown : difference::none;
}

std::string_view original_of(const mutated_source& file, const mutant_result& mutant) {
  return std::string_view(file.text).substr(mutant.begin, mutant.end - mutant.begin);
}

std::string mutated_text(const mutant_result& mutant) {
  return mutant.kind == mutant_kind::body ? "{ " + mutant.replacement : mutant.replacement;
}

source_lines::source_lines(std::string_view text) : text_(text), begins_{0} {
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string_view::npos;)
    begins_.push_back(static_cast<std::uint32_t>(++at));
}

std::string_view source_lines::line(std::uint32_t number) const {
  if (number == 0 || number > begins_.size()) return {};
  const std::size_t begin = begins_[number - 1];
  const std::size_t end = number < begins_.size() ? begins_[number] - 1 : text_.size();
  return without_return(text_.substr(begin, end - begin));
}

text_place source_lines::at(std::uint32_t offset) const {
  const auto next = std::ranges::upper_bound(begins_, offset);
  return {static_cast<std::uint32_t>(next - begins_.begin()), offset - *std::prev(next) + 1};
}

void place_mutants(mutated_source& file) {
  const source_lines lines(file.text);
  for (mutant_result& m : file.mutants) {
    m.from = lines.at(m.begin);
    m.to = lines.at(m.end);
  }
}

changed_line change_of(const mutated_source& file, const source_lines& lines, const mutant_result& m) {
  const std::string_view text = file.text;
  const std::uint32_t begin = m.begin - (m.from.column - 1);
  const std::size_t end = std::min(text.find('\n', m.end), text.size());
  const std::string_view head = text.substr(begin, m.begin - begin);
  const std::string_view tail = without_return(text.substr(m.end, end - m.end));
  return {std::string(lines.line(m.from.line)), fmt::format("{}{}{}", head, mutated_text(m), tail),
          m.from.line != m.to.line};
}

void keep_files(mutation_result& result, const std::function<bool(const std::string&)>& wanted) {
  std::erase_if(result.files, [&](const mutated_source& file) { return !wanted(file.path); });
  std::erase_if(result.compile_time_only, [&](const auto& file) { return !wanted(file.first); });
}

std::size_t mutation_tally::all() const {
  std::size_t sum = 0;
  for (const std::size_t count : counts_) sum += count;
  return sum - of(mutant_state::not_judged);
}
std::size_t mutation_tally::killed() const {
  return of(mutant_state::killed) + of(mutant_state::crashed) + of(mutant_state::timed_out);
}
std::size_t mutation_tally::covered() const {
  return killed() + of(mutant_state::survived);
}
std::optional<double> mutation_tally::share(std::size_t killed) const {
  return part_of(killed, covered() + of(mutant_state::not_covered));
}
std::optional<double> mutation_tally::score() const {
  return share(killed());
}
std::optional<double> mutation_tally::score_of_covered() const {
  return part_of(killed(), covered());
}

score_interval interval_of(const mutation_tally& sample) {
  const double n = static_cast<double>(sample.covered() + sample.of(mutant_state::not_covered));
  if (n == 0) return {};
  constexpr double z = 1.959964;
  const double p = sample.score().value_or(0), middle = (p + z * z / (2 * n)) / (1 + z * z / n),
               half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

std::optional<tested> tested_by(const mutation_tally& bodies) {
  const std::size_t all = bodies.covered() + bodies.of(mutant_state::not_covered);
  if (all == 0) return std::nullopt;
  if (bodies.covered() == 0) return tested::not_covered;
  if (bodies.killed() == 0) return tested::pseudo_tested;
  return bodies.killed() < all ? tested::partly_tested : tested::tested;
}

std::vector<mutation_tally> tallies_of_functions(const mutated_source& file) {
  std::vector<mutation_tally> tallies(file.functions.size());
  for (const mutant_result& m : file.mutants)
    for (std::size_t f = file.functions.size(); f-- > 0;)
      if (file.functions[f].begin <= m.begin && m.end <= file.functions[f].end) {
        tallies[f].add(m.state);
        break;
      }
  return tallies;
}

mutation_figures figures_of(const mutation_result& result) {
  mutation_figures figures;
  for (const mutated_source& file : result.files) {
    mutation_tally& of_file = figures.by_file[file.path];
    for (const mutant_result& m : file.mutants) {
      for (mutation_tally* tally : {&figures.all, &of_file, &figures.by_operator[m.op]}) tally->add(m.state);
      figures.recalled += m.is_recalled ? 1 : 0;
    }
    for (const function_result& f : file.functions)
      if (f.how) ++figures.functions[*f.how];
  }
  return figures;
}

std::string why_no_score(const mutation_result& result) {
  const mutation_tally all = figures_of(result).all;
  if (all.score()) return {};
  if (const auto left = all.of(mutant_state::not_judged); left > 0)
    return fmt::format(
        "{} not judged; `morph mutate` without --budget, --shard and --since judges all, `morph report "
        "mutation --from` unites shards",
        system::counted(left, "mutant is", "mutants are"));
  if (const auto equivalent = all.of(mutant_state::equivalent); equivalent > 0)
    return fmt::format("{} the same as the original; judge more operators or files",
                       equivalent == 1 ? "the only mutant means" : fmt::format("all {} mutants mean", equivalent));
  if (!result.scope.empty())
    return fmt::format("no mutant is left by {}; choose more, or do not ask for a score", fmt::join(result.scope, " "));
  if (const auto rejected = result.not_compilable + result.rejected_by_compiler; rejected > 0)
    return fmt::format("none of {} compiles; `morph mutate --json` says why in `rejected_units`",
                       system::counted(rejected, "mutant"));
  return "no production code was found to mutate; sources of test programs that are named as tests, or lie in a folder "
         "of tests, count as tests: move production code out of them";
}

std::string about_scope(const mutation_result& result) {
  return result.scope.empty() ? std::string() : fmt::format("a part of all mutants: {}", fmt::join(result.scope, " "));
}

std::string on_one_line(std::string_view text) {
  std::string words;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
    if (!is_blank)
      words += c;
    else if (!words.empty() && words.back() != ' ')
      words += ' ';
  }
  if (words.ends_with(' ')) words.pop_back();
  std::string shown = frameworks::as_xml_text(words);
  std::ranges::replace(shown, '\x7f', '?');
  return shown;
}

std::string as_utf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = character(text);
    result += length == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

text_place in_utf16(const source_lines& lines, text_place place) {
  return {place.line, 1 + utf16_length(lines.line(place.line).substr(0, place.column - 1))};
}

std::string what_changed(const mutated_source& file, const mutant_result& m) {
  const std::string original = on_one_line(original_of(file, m)), replacement = on_one_line(m.replacement);
  if (m.kind == mutant_kind::body) return fmt::format("'{}' in place of the function's body", replacement);
  if (replacement.empty()) return fmt::format("'{}' deleted", original);
  return fmt::format("'{}' in place of '{}'", replacement, original);
}

std::string describe(const rejected_part& part) {
  const std::string where =
      part.line == 0 ? on_one_line(part.path) : fmt::format("{}:{}", on_one_line(part.path), part.line);
  const std::string of = part.what.empty()  ? ""
                         : part.what == "*" ? " of the file"
                                            : fmt::format(" of '{}'", on_one_line(part.what));
  return fmt::format("{}: {}{}{} {} left out: the compiler says '{}'", where, of.empty() ? "" : "all ",
                     system::counted(part.mutants, "mutant"), of, part.mutants == 1 ? "is" : "are",
                     on_one_line(part.why));
}

std::string about_difference(const judging_test& test) {
  if (test.in_build.empty()) return {};
  return fmt::format("it {} in the ordinary build, and {} in the mutation twin", test.in_build,
                     test.in_build == "passes" ? "fails" : "passes");
}

std::string why(const mutant_result& m) {
  std::string said;
  if (m.state == mutant_state::not_covered)
    said = "no test reaches it";
  else if (m.state == mutant_state::survived)
    said = why_survived(m);
  else if (is_kill(m.state))
    said = fmt::format("{}{}", name_of(m.state),
                       m.killers.empty() ? "" : fmt::format(" in {}", on_one_line(m.killers.front())));
  else
    said = name_of(m.state);
  if (!m.reason.empty()) said += fmt::format(": {}", on_one_line(m.reason));
  return said;
}

}  // namespace morph::report
