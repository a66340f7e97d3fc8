// Drops places at which compilers stumble, and numbers what is left.
#include "coverage/mutation/overlay.hpp"

#include <algorithm>
#include <cctype>
#include <set>

namespace morph::mutation {
namespace {

std::size_t drop_if(mutated_file& file, auto is_at_fault) {
  std::set<alternative_id> dropped(file.dropped.begin(), file.dropped.end());
  const std::size_t before = dropped.size();
  for (std::uint32_t i = 0; i < file.places.places.size(); ++i) {
    const place& p = file.places.places[i];
    if (!is_at_fault(p)) continue;
    for (std::uint32_t number = 0; number < p.alternatives.size(); ++number) dropped.insert({i, number});
  }
  file.dropped.assign(dropped.begin(), dropped.end());
  return dropped.size() - before;
}

std::size_t drop_in(mutated_file& file, const function_extent& f) {
  return drop_if(file, [&](const place& p) { return f.begin <= p.begin && p.end <= f.end; });
}

bool is_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Compilers call unnamed namespaces differently.
std::string without_anonymous(std::string_view name) {
  std::string plain(name);
  for (const std::string_view part : {"(anonymous namespace)::", "{anonymous}::", "<unnamed>::"})
    for (auto at = plain.find(part); at != std::string::npos; at = plain.find(part, at)) plain.erase(at, part.size());
  return plain;
}

/// "a::operator()" of "a::operator()(int)"
std::string_view without_parameters(std::string_view name) {
  int depth = 0;
  for (std::size_t at = name.size(); at-- > 0;) {
    if (name[at] == ')') ++depth;
    if (name[at] == '(' && --depth == 0) return name.substr(0, at);
  }
  return name;
}

bool names(std::string_view said, std::string_view name) {
  if (name.empty()) return false;
  for (auto at = said.find(name); at != std::string_view::npos; at = said.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || (!is_of_name(said[at - 1]) && said[at - 1] != ':' && said[at - 1] != '~');
    const bool ends = end == said.size() || said[end] == '(' || said[end] == '<' || said[end] == '[';
    if (begins && ends) return true;
  }
  return false;
}

/// A literal or a comment is one, a byte of all else.
std::size_t behind_token(std::string_view source, std::size_t at) {
  const auto behind = [&](std::string_view end, std::size_t from) {
    const auto found = source.find(end, from);
    return found == std::string_view::npos ? source.size() : found + end.size();
  };
  const std::string_view rest = source.substr(at);
  if (rest.starts_with("//")) return behind("\n", at);
  if (rest.starts_with("/*")) return behind("*/", at + 2);
  const char c = source[at];
  if (c == '"' && at > 0 && source[at - 1] == 'R')
    if (const auto open = source.find('(', at); open != std::string_view::npos)
      return behind(')' + std::string(source.substr(at + 1, open - at - 1)) + '"', open);
  if (c != '"' && (c != '\'' || (at > 0 && is_of_name(source[at - 1])))) return at + 1;
  for (std::size_t end = at + 1; end < source.size() && source[end] != '\n'; ++end) {
    if (source[end] == c) return end + 1;
    if (source[end] == '\\') ++end;
  }
  return at + 1;
}

}  // namespace

bool mutated_file::is_live(std::uint32_t place, std::uint32_t number) const {
  return !std::ranges::binary_search(dropped, alternative_id{place, number});
}

std::size_t mutated_file::mutants() const {
  std::size_t all = 0;
  for (const place& p : places.places) all += p.alternatives.size();
  return all - dropped.size();
}

std::uint32_t mutated_file::switch_of(std::uint32_t place) const {
  const auto function = doubled_function(places, places.places[place], dropped);
  return function ? first_node + static_cast<std::uint32_t>(places.places.size()) + *function : node_of(place);
}

std::uint32_t assign_nodes(std::vector<mutated_file>& files, std::map<std::string, node_block>& blocks) {
  const auto needed = [](const mutated_file& file) {
    return static_cast<std::uint32_t>(file.places.places.size() + file.places.functions.size());
  };
  std::map<std::string, node_block> kept;
  for (const mutated_file& file : files)
    if (const auto old = blocks.find(file.path); old != blocks.end() && needed(file) <= old->second.room)
      kept.insert(*old);

  std::vector<node_block> taken;
  for (const auto& [path, block] : kept) taken.push_back(block);
  std::ranges::sort(taken, {}, &node_block::first);
  for (const mutated_file& file : files) {
    if (kept.contains(file.path)) continue;
    node_block block{0, needed(file)};
    auto next = taken.begin();
    for (; next != taken.end() && next->first - block.first < block.room; ++next)
      block.first = next->first + next->room;
    taken.insert(next, block);
    kept.emplace(file.path, block);
  }
  for (mutated_file& file : files) file.first_node = kept.at(file.path).first;
  blocks = std::move(kept);
  return taken.empty() ? 0 : taken.back().first + taken.back().room;
}

bool drop_at(mutated_file& file, const rewritten_source& text, std::uint32_t offset) {
  const emitted_span* const span = innermost(text, offset);
  if (span == nullptr) return false;
  std::set<alternative_id> dropped(file.dropped.begin(), file.dropped.end());
  const std::size_t before = dropped.size();
  if (span->alternative) {
    dropped.insert({span->place, *span->alternative});
  } else {
    const auto count = file.places.places[span->place].alternatives.size();
    for (std::uint32_t number = 0; number < count; ++number) dropped.insert({span->place, number});
  }
  file.dropped.assign(dropped.begin(), dropped.end());
  return dropped.size() > before;
}

bool drop_cause(std::span<const rewritten_byte> at) {
  for (const bool takes_originals : {false, true})
    for (const rewritten_byte& each : at)
      if (const emitted_span* const span = innermost(*each.text, each.offset);
          span != nullptr && (takes_originals || !span->is_original))
        return drop_at(*each.file, *each.text, each.offset);
  return false;
}

std::pair<std::uint32_t, std::uint32_t> statement_at(const mutated_file& file, std::uint32_t offset) {
  // Counted from the begin of the function around it: what is in front may have parentheses that preprocessing removes.
  const function_extent* around = nullptr;
  for (const function_extent& f : file.places.functions)
    if (f.begin <= offset && offset < f.end) around = &f;
  if (around == nullptr) return statement_around(file.source, offset);
  const std::string_view text = std::string_view(file.source).substr(around->begin, around->end - around->begin);
  const auto [begin, end] = statement_around(text, offset - around->begin);
  return {around->begin + begin, around->begin + end};
}

std::pair<std::uint32_t, std::uint32_t> statements_at_line(const mutated_file& file, std::uint32_t line) {
  std::size_t begin = 0;
  for (std::uint32_t now = 1; now < line && begin < file.source.size(); ++now)
    begin = std::min(file.source.find('\n', begin), file.source.size() - 1) + 1;
  const auto stop = std::min(file.source.find('\n', begin), file.source.size());
  const auto first = std::min(file.source.find_first_not_of(" \t\r", begin), stop);
  const auto last = stop == first ? first : stop - 1;
  return {statement_at(file, static_cast<std::uint32_t>(first)).first,
          statement_at(file, static_cast<std::uint32_t>(last)).second};
}

std::pair<std::uint32_t, std::uint32_t> statement_around(std::string_view source, std::uint32_t offset) {
  std::size_t begin = 0;
  int depth = 0;  // of parentheses and brackets: what is within is a part
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t next = behind_token(source, at);
    const char c = source[at];
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && depth > 0) --depth;
    const bool is_end = next == at + 1 && depth == 0 && (c == ';' || c == '{' || c == '}');
    if (is_end && at >= offset) return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(next)};
    if (is_end) begin = next;
    at = next;
  }
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(source.size())};
}

std::pair<std::uint32_t, std::uint32_t> arguments_at(std::string_view source, std::uint32_t offset) {
  std::size_t begin = offset;
  if (begin < source.size() && source[begin] == ')') {  // where GCC is when it has read a builtin's arguments
    std::vector<std::size_t> open;
    for (std::size_t at = 0; at < offset; at = behind_token(source, at)) {
      if (source[at] == '(') open.push_back(at);
      if (source[at] == ')' && !open.empty()) open.pop_back();
    }
    begin = open.empty() ? source.size() : open.back();
  }
  while (begin < source.size() && (is_of_name(source[begin]) || source[begin] == ':' || source[begin] == ' ')) ++begin;
  if (begin >= source.size() || source[begin] != '(') return {offset, offset};
  int depth = 0;
  for (std::size_t at = begin; at < source.size(); at = behind_token(source, at)) {
    if (source[at] == '(') ++depth;
    if (source[at] == ')' && --depth == 0) return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at)};
  }
  return {offset, offset};
}

std::size_t drop_between(mutated_file& file, std::pair<std::uint32_t, std::uint32_t> bytes) {
  return drop_if(file, [&](const place& p) { return bytes.first <= p.begin && p.end <= bytes.second; });
}

std::size_t drop_functions(mutated_file& file, std::uint32_t line) {
  std::uint32_t innermost = 0;  // where it begins
  for (const function_extent& f : file.places.functions)
    if (f.line <= line && line <= f.end_line) innermost = std::max(innermost, f.line);
  std::size_t dropped = 0;
  for (const function_extent& f : file.places.functions)
    if (f.line == innermost && line <= f.end_line) dropped += drop_in(file, f);
  return dropped;
}

std::size_t drop_functions(mutated_file& file, std::string_view said) {
  const std::string where = without_anonymous(said);
  std::size_t dropped = 0;
  for (const function_extent& f : file.places.functions) {
    const std::string name = without_anonymous(f.name);
    if (names(where, without_parameters(name))) dropped += drop_in(file, f);
  }
  return dropped;
}

std::vector<std::uint32_t> drop_naming(mutated_file& file, std::string_view name) {
  const auto has = [&](std::string_view text) {
    for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      if ((at == 0 || !is_of_name(text[at - 1])) && (end == text.size() || !is_of_name(text[end]))) return true;
    }
    return false;
  };
  std::set<alternative_id> dropped(file.dropped.begin(), file.dropped.end());
  std::vector<std::uint32_t> begins;
  for (std::uint32_t i = 0; i < file.places.places.size() && !name.empty(); ++i) {
    const place& p = file.places.places[i];
    if (has(std::string_view(file.source).substr(p.begin, p.end - p.begin))) continue;
    for (std::uint32_t number = 0; number < p.alternatives.size(); ++number)
      if (has(p.alternatives[number].text) && dropped.insert({i, number}).second) begins.push_back(p.begin);
  }
  file.dropped.assign(dropped.begin(), dropped.end());
  return begins;
}

std::size_t drop_all(mutated_file& file) {
  return drop_if(file, [](const place&) { return true; });
}

}  // namespace morph::mutation
