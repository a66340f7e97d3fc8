// Prints of objects as bytes: a magic, a schema, a checksum, then arrays, each behind its size.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "coverage/object/read/object_print.hpp"

namespace morph::object {
namespace {

constexpr std::string_view magic = "morphobj";
// Raised whenever the layout or what is hashed changes: old prints are then made again.
constexpr std::uint64_t schema = 9;

class print_writer {
 public:
  void number(std::uint64_t value) { out_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  template <class Value>
  void array(const std::vector<Value>& values) {
    static_assert(std::is_trivially_copyable_v<Value>);
    number(values.size());
    out_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
  }
  void add(const digest& value) { number(value.low), number(value.high); }
  void add(const range& value) { number(value.first), number(value.count); }
  void text(const std::string& value) {
    number(value.size());
    out_ += value;
  }
  const std::string& bytes() const { return out_; }

 private:
  std::string out_;
};

class print_reader {
 public:
  explicit print_reader(std::string_view bytes) : left_(bytes) {}

  bool failed() const { return failed_; }
  bool at_end() const { return left_.empty(); }
  std::uint64_t number() {
    std::uint64_t value = 0;
    const std::string_view bytes = take(sizeof value);
    if (!failed_) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  template <std::size_t Count>
  std::array<std::uint64_t, Count> numbers() {
    std::array<std::uint64_t, Count> values{};
    const std::string_view bytes = take(sizeof values);
    if (!failed_) std::memcpy(values.data(), bytes.data(), sizeof values);
    return values;
  }
  std::uint32_t small() { return static_cast<std::uint32_t>(number()); }
  // A count of things of at least `size` bytes each, that are still to come.
  std::size_t count(std::size_t size) {
    const std::uint64_t value = number();
    if (value > left_.size() / size) failed_ = true;
    return failed_ ? 0 : value;
  }
  template <class Value>
  std::vector<Value> array() {
    std::vector<Value> values(count(sizeof(Value)));
    const std::string_view bytes = take(values.size() * sizeof(Value));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  std::string text() { return std::string(take(count(1))); }
  digest read_digest() {
    const std::uint64_t low = number();
    return {low, number()};
  }
  range read_range() {
    const std::uint32_t first = small();
    return {first, small()};
  }

 private:
  std::string_view take(std::size_t size) {
    if (failed_ || size > left_.size()) {
      failed_ = true;
      return {};
    }
    const std::string_view taken = left_.substr(0, size);
    left_.remove_prefix(size);
    return taken;
  }

  std::string_view left_;
  bool failed_ = false;
};

bool within(const range& part, std::size_t size) {
  return part.first <= size && part.count <= size - part.first;
}

bool is_name(std::uint32_t index, const object_print& print) {
  return index == none || index < print.names.size();
}

bool holds_together(const object_print& print) {
  for (const atom& a : print.atoms) {
    if (a.kind > atom_kind::startup || !is_name(a.name, print) || !is_name(a.group, print) || !is_name(a.list, print))
      return false;
    if (a.name == none && a.kind != atom_kind::data) return false;
    if (!within(a.references, print.references.size()) || !within(a.constants, print.constants.size())) return false;
  }
  for (const std::uint32_t r : print.references)
    if ((r & ~by_name) >= ((r & by_name) != 0 ? print.names.size() : print.atoms.size())) return false;
  for (const definition& d : print.definitions)
    if (d.name >= print.names.size() || d.atom >= print.atoms.size() || d.binding > strength::strong ||
        d.seen > visibility::hidden)
      return false;
  for (const auto& [name, compiled] : print.compiled)
    if (name >= print.names.size() || compiled >= print.names.size()) return false;
  for (const wanted_name& w : print.wanted)
    if (w.name >= print.names.size() || w.seen > visibility::hidden) return false;
  for (const segment& s : print.segments) {
    if (!is_name(s.variable, print)) return false;
    if (!within(s.references, print.references.size()) || !within(s.constants, print.constants.size())) return false;
    if (!within(s.event_references, print.references.size())) return false;
  }
  for (const block& b : print.blocks)
    if (!within(b.references, print.references.size())) return false;
  return std::all_of(print.blocked.begin(), print.blocked.end(), [&](const function_blocks& f) {
    return f.atom < print.atoms.size() && f.blocks.count > 0 && within(f.blocks, print.blocks.size());
  });
}

}  // namespace

std::string write_print(const object_print& print) {
  print_writer out;
  out.number(static_cast<std::uint64_t>(print.target));
  out.text(print.names.text());
  out.array(print.names.ends());
  out.array(print.references);
  out.array(print.constants);
  out.number(print.atoms.size());
  for (const atom& a : print.atoms) {
    out.number(static_cast<std::uint64_t>(a.kind) | std::uint64_t{a.flags} << 8);
    for (const std::uint32_t index : {a.name, a.group, a.list}) out.number(index);
    for (const digest& d : {a.content, a.relaxed, a.exceptions}) out.add(d);
    out.add(a.references);
    out.add(a.constants);
  }
  out.number(print.definitions.size());
  for (const definition& d : print.definitions) {
    out.number(d.name | std::uint64_t{d.atom} << 32);
    out.number(static_cast<std::uint64_t>(d.binding) | static_cast<std::uint64_t>(d.seen) << 8);
  }
  out.number(print.wanted.size());
  for (const wanted_name& w : print.wanted)
    out.number(w.name | (w.weak ? std::uint64_t{1} << 32 : 0) | static_cast<std::uint64_t>(w.seen) << 33);
  out.number(print.segments.size());
  for (const segment& s : print.segments) {
    out.number(s.variable | (s.of_frameworks ? std::uint64_t{1} << 32 : 0) |
               (s.of_streams ? std::uint64_t{1} << 33 : 0) | (s.only_moves ? std::uint64_t{1} << 34 : 0));
    for (const digest& d : {s.content, s.relaxed, s.shape, s.events, s.callees}) out.add(d);
    out.add(s.references);
    out.add(s.event_references);
    out.add(s.constants);
  }
  out.number(print.compiled.size());
  for (const auto& [name, compiled] : print.compiled) out.number(name | std::uint64_t{compiled} << 32);
  out.number(print.blocked.size());
  for (const function_blocks& f : print.blocked) {
    out.number(f.atom | std::uint64_t{f.size} << 32);
    out.add(f.blocks);
  }
  out.number(print.blocks.size());
  for (const block& b : print.blocks) {
    out.number(b.begin | std::uint64_t{b.is_landing_pad} << 32);
    out.number(b.next | std::uint64_t{b.target} << 32);
    out.add(b.content);
    out.add(b.references);
  }
  print_writer head;
  head.number(schema);
  head.add(digest_of(out.bytes()));
  return std::string(magic) + head.bytes() + out.bytes();
}

digest digest_of_print(std::string_view written) {
  constexpr std::size_t at = magic.size() + sizeof(std::uint64_t);
  return written.size() < at ? digest() : print_reader(written.substr(at)).read_digest();
}

tl::expected<object_print, std::string> read_print(std::string_view bytes) {
  constexpr std::size_t head_size = magic.size() + 3 * sizeof(std::uint64_t);
  if (bytes.size() < head_size || !bytes.starts_with(magic))
    return tl::unexpected<std::string>("it is no print of an object");
  print_reader head(bytes.substr(magic.size(), head_size - magic.size()));
  if (const std::uint64_t found = head.number(); found != schema)
    return tl::unexpected(fmt::format("its schema is {}, not {}", found, schema));
  if (head.read_digest() != digest_of(bytes.substr(head_size)))
    return tl::unexpected<std::string>("its checksum is another one");

  print_reader in(bytes.substr(head_size));
  object_print print;
  const std::uint64_t target = in.number();
  print.target = static_cast<machine>(target);
  std::string text = in.text();
  bool whole = target <= static_cast<std::uint64_t>(machine::aarch64) &&
               print.names.restore(std::move(text), in.array<std::uint32_t>());
  print.references = in.array<std::uint32_t>();
  print.constants = in.array<std::uint32_t>();
  print.atoms.resize(in.count(14 * sizeof(std::uint64_t)));
  const auto small = [](std::uint64_t number) { return static_cast<std::uint32_t>(number); };
  for (atom& a : print.atoms) {
    const auto n = in.numbers<14>();
    a.kind = static_cast<atom_kind>(n[0] & 0xff);
    a.flags = static_cast<std::uint8_t>(n[0] >> 8);
    a.name = small(n[1]), a.group = small(n[2]), a.list = small(n[3]);
    a.content = {n[4], n[5]}, a.relaxed = {n[6], n[7]}, a.exceptions = {n[8], n[9]};
    a.references = {small(n[10]), small(n[11])};
    a.constants = {small(n[12]), small(n[13])};
  }
  print.definitions.resize(in.count(2 * sizeof(std::uint64_t)));
  for (definition& d : print.definitions) {
    const std::uint64_t both = in.number(), kind = in.number();
    d = {static_cast<std::uint32_t>(both), static_cast<std::uint32_t>(both >> 32), static_cast<strength>(kind & 0xff),
         static_cast<visibility>(kind >> 8)};
  }
  print.wanted.resize(in.count(sizeof(std::uint64_t)));
  for (wanted_name& w : print.wanted) {
    const std::uint64_t both = in.number();
    w = {static_cast<std::uint32_t>(both), (both >> 32 & 1) != 0, static_cast<visibility>(both >> 33)};
  }
  print.segments.resize(in.count(17 * sizeof(std::uint64_t)));
  for (segment& s : print.segments) {
    const std::uint64_t both = in.number();
    s.variable = static_cast<std::uint32_t>(both);
    s.of_frameworks = (both >> 32 & 1) != 0;
    s.of_streams = (both >> 33 & 1) != 0;
    s.only_moves = (both >> 34 & 1) != 0;
    for (digest* const d : {&s.content, &s.relaxed, &s.shape, &s.events, &s.callees}) *d = in.read_digest();
    s.references = in.read_range();
    s.event_references = in.read_range();
    s.constants = in.read_range();
  }
  print.compiled.resize(in.count(sizeof(std::uint64_t)));
  for (auto& [name, compiled] : print.compiled) {
    const std::uint64_t both = in.number();
    name = static_cast<std::uint32_t>(both);
    compiled = static_cast<std::uint32_t>(both >> 32);
  }
  print.blocked.resize(in.count(3 * sizeof(std::uint64_t)));
  for (function_blocks& f : print.blocked) {
    const std::uint64_t both = in.number();
    f.atom = small(both), f.size = small(both >> 32);
    f.blocks = in.read_range();
  }
  print.blocks.resize(in.count(6 * sizeof(std::uint64_t)));
  for (block& b : print.blocks) {
    const std::uint64_t place = in.number(), ways = in.number();
    b.begin = small(place), b.is_landing_pad = small(place >> 32);
    b.next = small(ways), b.target = small(ways >> 32);
    b.content = in.read_digest();
    b.references = in.read_range();
  }
  whole = whole && !in.failed() && in.at_end() && holds_together(print);
  if (!whole) return tl::unexpected<std::string>("its parts do not fit together");
  return print;
}

}  // namespace morph::object
