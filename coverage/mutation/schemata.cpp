#include "coverage/mutation/schemata.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace morph::mutation {
namespace {

class writer {
 public:
  writer(std::string_view source, std::span<const place> places, std::span<const alternative_id> dropped,
         std::uint32_t first_node)
      : source_(source), places_(places), dropped_(dropped), first_node_(first_node) {}

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

  /// The original [from, to), its places rewritten.
  void copy(std::uint32_t from, std::uint32_t to) {
    while (next_ < places_.size() && places_[next_].end <= to) {
      const auto index = static_cast<std::uint32_t>(next_++);
      const place& p = places_[index];
      out_.text.append(source_.substr(from, p.begin - from));
      place_at(index, p);
      from = p.end;
    }
    out_.text.append(source_.substr(from, to - from));
  }

  void place_at(std::uint32_t index, const place& p) {
    std::vector<std::uint32_t> live;
    for (std::uint32_t number = 0; number < p.alternatives.size(); ++number)
      if (!std::ranges::binary_search(dropped_, alternative_id{index, number})) live.push_back(number);
    if (live.empty()) return copy(p.begin, p.end);

    const std::size_t span = out_.spans.size();
    out_.spans.push_back({here(), 0, index, std::nullopt});
    const std::uint32_t node = first_node_ + index;
    switch (p.kind) {
      case place_kind::statement:
        write("{{if(!MORPH_ON({})){{", node);
        copy(p.begin, p.end);
        write("}}}}");
        break;
      case place_kind::body:
        copy(p.begin, p.end);
        write(" if(MORPH_ON({})){{", node);
        for (const std::uint32_t number : live) {
          write("if(MORPH_V({}))", number + 1);
          alternative_at(index, number, p.alternatives[number].text);
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
        converted(p, [&] { copy(p.begin, p.end); });
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
    out_.spans.push_back({begin, here(), place, number});
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
  std::size_t next_ = 0;
  rewritten_source out_;
};

}  // namespace

bool is_compared(const place& of, std::uint32_t number) {
  return of.kind == place_kind::expression && number < compared_alternatives && of.alternatives[number].pure &&
         !of.original.empty();
}

rewritten_source rewrite(std::string_view source, std::span<const place> places,
                         std::span<const alternative_id> dropped, std::uint32_t first_node) {
  return writer(source, places, dropped, first_node).run();
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
