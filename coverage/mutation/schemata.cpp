// Puts the alternatives of each place into the text.
#include "coverage/mutation/schemata.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace morph::mutation {
namespace {

using dropped_list = std::span<const alternative_id>;

bool has_mutants(const file_places& file, std::uint32_t place, dropped_list dropped) {
  const auto first = std::ranges::lower_bound(dropped, alternative_id{place, 0});
  const auto end = std::ranges::lower_bound(dropped, alternative_id{place + 1, 0});
  return static_cast<std::size_t>(end - first) < file.places[place].alternatives.size();
}

bool stands_twice(const file_places& file, const function_extent& f, dropped_list dropped) {
  if (f.body == 0) return false;
  const auto first = std::ranges::lower_bound(file.places, f.body, {}, &place::begin);
  for (auto p = first; p != file.places.end() && p->begin < f.end; ++p)
    if (p->end <= f.end && has_mutants(file, static_cast<std::uint32_t>(p - file.places.begin()), dropped)) return true;
  return false;
}

/// With blanks in place of `#line` and linemarkers: compilers then name bytes of the text as they stand. A text with
/// raw strings, in which such a line may be none, stays.
std::string without_line_directives(std::string_view source) {
  std::string plain(source);
  if (source.find("R\"") != std::string_view::npos) return plain;
  for (std::size_t at = 0; at < plain.size();) {
    const std::size_t end = std::min(plain.find('\n', at), plain.size());
    auto first = plain.find_first_not_of(" \t", at);
    if (first < end && plain[first] == '#') {
      first = std::min(plain.find_first_not_of(" \t", first + 1), end);
      const std::string_view rest = std::string_view(plain).substr(first, end - first);
      if (rest.starts_with("line ") || rest.starts_with("line\t") ||
          (!rest.empty() && rest[0] >= '0' && rest[0] <= '9'))
        std::fill(plain.begin() + static_cast<std::ptrdiff_t>(at),
                  plain.begin() + static_cast<std::ptrdiff_t>(plain[end - 1] == '\r' ? end - 1 : end), ' ');
    }
    at = end + 1;
  }
  return plain;
}

class writer {
 public:
  writer(std::string_view source, const file_places& file, std::span<const alternative_id> dropped,
         std::uint32_t first_node)
      : source_(source), places_(file.places), dropped_(dropped), first_node_(first_node) {
    std::uint32_t end = 0;
    for (std::uint32_t i = 0; i < file.functions.size(); ++i) {
      const function_extent& f = file.functions[i];
      if (f.body < end || !stands_twice(file, f, dropped)) continue;
      doubled_.push_back({f.body, f.end, static_cast<std::uint32_t>(first_node + places_.size() + i)});
      end = f.end;
    }
  }

  rewritten_source run() && {
    copy(0, static_cast<std::uint32_t>(source_.size()));
    return std::move(out_);
  }

 private:
  std::uint32_t here() const { return static_cast<std::uint32_t>(out_.text.size()); }

  template <typename... Values>
  void write(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(out_.text), format, std::forward<Values>(values)...);
  }

  void copy_text(std::uint32_t from, std::uint32_t to) {
    if (to <= from) return;
    out_.copies.push_back({here(), from, to - from});
    out_.text.append(source_.substr(from, to - from));
  }

  struct doubled_body {
    std::uint32_t begin, end, node;
  };

  /// The original [from, to), its places rewritten.
  void copy(std::uint32_t from, std::uint32_t to) {
    while (true) {
      const bool has_place = next_ < places_.size() && places_[next_].end <= to;
      if (next_doubled_ < doubled_.size() && doubled_[next_doubled_].end <= to &&
          (!has_place || doubled_[next_doubled_].begin <= places_[next_].begin)) {
        const doubled_body body = doubled_[next_doubled_++];
        copy_text(from, body.begin);
        body_twice(body);
        from = body.end;
        continue;
      }
      if (!has_place) break;
      const auto index = static_cast<std::uint32_t>(next_++);
      const place& p = places_[index];
      copy_text(from, p.begin);
      place_at(index, p);
      from = p.end;
    }
    copy_text(from, to);
  }

  void body_twice(const doubled_body& body) {
    const auto line = static_cast<std::uint32_t>(
        1 + std::count(source_.begin(), source_.begin() + static_cast<std::ptrdiff_t>(body.begin), '\n'));
    write("{{if(!MORPH_IN({}))", body.node);
    copy_text(body.begin, body.end);
    write("\n#line {}\n", line);
    out_.restarts.push_back({here(), line});
    write("else ");
    copy(body.begin, body.end);
    write("}}");
  }

  void place_at(std::uint32_t index, const place& p) {
    std::vector<std::uint32_t> live;
    for (std::uint32_t number = 0; number < p.alternatives.size(); ++number)
      if (!std::ranges::binary_search(dropped_, alternative_id{index, number})) live.push_back(number);
    if (live.empty()) return copy(p.begin, p.end);

    const std::size_t span = out_.spans.size();
    out_.spans.push_back({here(), 0, index, std::nullopt, false});
    const std::uint32_t node = first_node_ + index;
    switch (p.kind) {
      case place_kind::statement:
        write("{{if(!MORPH_ON({})){{", node);
        original_at(index, p);
        write("}}}}");
        break;
      case place_kind::body:
        copy(p.begin, p.end);
        write(" if(MORPH_ON({})){{", node);
        for (const std::uint32_t number : live) {
          write("if(MORPH_V({})){{", number + 1);
          alternative_at(index, number, p.alternatives[number].text);
          write("}}");
        }
        write("}}");
        break;
      case place_kind::expression:
        choice(node, p, live);
        for (const std::uint32_t number : live) {
          if (number != live.back()) write("MORPH_V({})?", number + 1);
          converted(p, [&] { alternative_at(index, number, p.alternatives[number].text); });
          write(":");
        }
        converted(p, [&] { original_at(index, p); });
        write(")");
        break;
    }
    out_.spans[span].end = here();
  }

  /// Whether a mutant is on; where nodes are recorded, those alternatives that can be are compared with the original.
  void choice(std::uint32_t node, const place& p, const std::vector<std::uint32_t>& live) {
    std::uint32_t compared = 0;
    for (const std::uint32_t number : live)
      if (is_compared(p, number)) compared |= 1U << number;
    if (compared == 0) {
      write("(MORPH_ON({})?", node);
      return;
    }
    write("(MORPH_SEE({},{}u,", node, compared);
    write("(");
    converted(p, [&] { out_.text.append(p.original); });
    write(")");
    for (const std::uint32_t number : live) {
      if (!is_compared(p, number)) continue;
      write(",(");
      converted(p, [&] { alternative_at(node - first_node_, number, p.alternatives[number].text); });
      write(")");
    }
    write(")?");
  }

  void alternative_at(std::uint32_t place, std::uint32_t number, const std::string& text) {
    const std::uint32_t begin = here();
    out_.text.append(text);
    out_.spans.push_back({begin, here(), place, number, false});
  }

  void original_at(std::uint32_t place, const mutation::place& p) {
    const std::size_t span = out_.spans.size();
    out_.spans.push_back({here(), 0, place, std::nullopt, true});
    copy(p.begin, p.end);
    out_.spans[span].end = here();
  }

  void converted(const place& p, auto inner) {
    if (!p.type.empty()) write("static_cast<{}>", p.type);
    write("(");
    inner();
    write(")");
  }

  std::string_view source_;
  std::span<const place> places_;
  std::span<const alternative_id> dropped_;
  std::uint32_t first_node_;
  std::vector<doubled_body> doubled_;  // ascending, none in another
  std::size_t next_ = 0;
  std::size_t next_doubled_ = 0;
  rewritten_source out_;
};

}  // namespace

bool is_compared(const place& of, std::uint32_t number) {
  return of.kind == place_kind::expression && number < compared_alternatives && of.alternatives[number].pure &&
         !of.original.empty();
}

std::optional<std::uint32_t> doubled_function(const file_places& file, const place& of, dropped_list dropped) {
  for (std::uint32_t i = 0; i < file.functions.size(); ++i) {
    const function_extent& f = file.functions[i];
    if (f.begin > of.begin) break;
    if (f.body <= of.begin && of.end <= f.end && stands_twice(file, f, dropped)) return i;
  }
  return std::nullopt;
}

rewritten_source rewrite(std::string_view source, const file_places& file, std::span<const alternative_id> dropped,
                         std::uint32_t first_node) {
  const std::string plain = without_line_directives(source);
  return writer(plain, file, dropped, first_node).run();
}

std::optional<std::uint32_t> offset_of(const rewritten_source& source, std::uint32_t line, std::uint32_t column) {
  std::optional<std::size_t> found;
  auto restart = source.restarts.begin();
  std::uint32_t now = 1;
  for (std::size_t at = 0; at < source.text.size(); ++now) {
    if (restart != source.restarts.end() && restart->offset == at) now = restart++->line;
    if (now == line) found = at;
    at = std::min(source.text.find('\n', at), source.text.size() - 1) + 1;
  }
  if (!found || *found + column > source.text.size()) return std::nullopt;
  return static_cast<std::uint32_t>(*found + column - 1);
}

std::uint32_t original_of(const rewritten_source& source, std::uint32_t offset) {
  const auto next = std::ranges::upper_bound(source.copies, offset, {}, &copied_run::begin);
  if (next == source.copies.begin()) return 0;
  const copied_run& run = *std::prev(next);
  return run.from + std::min(offset - run.begin, run.size);
}

const emitted_span* innermost(const rewritten_source& source, std::uint32_t offset) {
  const emitted_span* found = nullptr;
  for (const emitted_span& span : source.spans)
    if (span.begin <= offset && offset < span.end &&
        (found == nullptr || span.end - span.begin <= found->end - found->begin))
      found = &span;
  return found;
}

}  // namespace morph::mutation
